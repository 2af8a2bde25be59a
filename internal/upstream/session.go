package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
)

const (
	// startTimeout is how long a server may take from its start to its first
	// answers. npx on a cold cache takes half a minute.
	startTimeout = 45 * time.Second
	// closeTimeout bounds the goodbye to a server.
	closeTimeout = 2 * time.Second
	// modernRevision is the first without initialize; legacyRevision the last with it.
	modernRevision = "2026-07-28"
	legacyRevision = "2025-11-25"
)

// mode is how a session is begun.
type mode struct {
	// revision is what is asked for first. Empty means the newest.
	revision string
	// patience is how long server/discover may go unanswered before initialize is
	// sent. Zero means as long as the start may take.
	patience time.Duration
}

// discoverPatience: a server that ignores what it does not know is not silent for
// longer than this, and one that is slow to start then gets both questions.
const discoverPatience = 3 * time.Second

var (
	tryBoth    = mode{patience: discoverPatience}
	onlyModern = mode{revision: modernRevision}
	onlyLegacy = mode{revision: legacyRevision}
)

// session is one life of a server.
type session struct {
	p           *peer
	client      *mcp.ClientSession
	tap         *tap
	child       *child  // nil over HTTP
	web         *web    // nil on stdio
	stream      *stream // nil but over HTTP before 2026-07-28
	cut         func()  // ends whatever is under way on the transport
	protocol    string
	listChanged chan struct{}
	ended       chan struct{} // closed when the connection has ended; set by watch

	calls    sync.WaitGroup // calls under way; none is added once the peer let go of the session
	under    calls
	work     sync.WaitGroup // what runs beside the SDK
	tokens   sync.Map       // progress token -> func(catalog.Progress)
	lastCall atomic.Int64
}

// connect begins a session in the way the entry says, or finds out how.
func (p *peer) connect(ctx context.Context) (*session, error) {
	modes := []mode{tryBoth, onlyLegacy}
	p.mu.Lock()
	legacy := p.legacy
	p.mu.Unlock()
	switch {
	case p.cfg.Protocol == "legacy":
		modes = []mode{onlyLegacy}
	case p.cfg.Protocol == "modern":
		modes = []mode{onlyModern}
	case legacy:
		modes = []mode{onlyLegacy, tryBoth}
	}
	var first error
	for i := 0; i < len(modes); i++ {
		s, err := p.dial(ctx, modes[i])
		if err == nil {
			return s, nil
		}
		if first == nil {
			first = err
		}
		var login *loginError
		if ctx.Err() != nil || errors.Is(err, errNotStarted) || errors.As(err, &login) {
			break
		}
		// One that is slow and knows only the newest revision refused initialize.
		if modes[i] == tryBoth && strings.Contains(strings.ToLower(err.Error()), "unsupported protocol version") {
			modes = append(modes, onlyModern)
		}
	}
	return nil, first
}

// dial starts or reaches the server once.
func (p *peer) dial(ctx context.Context, how mode) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	s := &session{p: p, listChanged: make(chan struct{}, 1)}
	var inner mcp.Connection
	p.denied.Store(nil)
	if p.cfg.URL != "" {
		conn, web, err := p.openHTTP(ctx)
		if err != nil {
			return nil, err
		}
		inner, s.cut = conn, web.stop
		s.tap = newTap(inner, how.patience)
		s.tap.revision = web.setRevision
		s.tap.beside()
		s.web = web
	} else {
		c, err := p.m.spawn(p)
		if err != nil {
			return nil, err
		}
		inner, s.child, s.cut = newPipeConn(c, p.maxMessage()), c, func() {}
		s.tap = newTap(inner, how.patience)
	}
	capable := &mcp.ClientCapabilities{ // no roots
		Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
	}
	opts := &mcp.ClientOptions{
		Logger:             slog.New(slog.DiscardHandler),
		Capabilities:       capable,
		ElicitationHandler: s.elicit,
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case s.listChanged <- struct{}{}:
			default:
			}
		},
		ProgressNotificationHandler: s.progress,
	}
	if p.cfg.Sampling {
		capable.Sampling = &mcp.SamplingCapabilities{}
		opts.CreateMessageWithToolsHandler = s.sample
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "codemode-mcp", Version: p.m.opts.Version}, opts)
	// Connect has been seen to outlive its context: it gets a goroutine, and the
	// transport is cut under it.
	type outcome struct {
		cs  *mcp.ClientSession
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		cs, err := client.Connect(ctx, given{s.tap}, &mcp.ClientSessionOptions{ProtocolVersion: how.revision})
		done <- outcome{cs, err}
	}()
	var out outcome
	select {
	case out = <-done:
	case <-ctx.Done():
		s.abort()
		out = <-done
		if out.err == nil {
			out.err = ctx.Err()
		}
	}
	if out.err != nil {
		err := s.startError(ctx, out.err)
		// A refusal of server/discover is not told: the SDK tries initialize, which a
		// server of the newest revision refuses for another reason.
		if denied := p.denied.Load(); denied != nil {
			err = fmt.Errorf("connect: %w", denied)
		}
		s.client = out.cs
		s.close()
		return nil, err
	}
	s.client = out.cs
	if res := out.cs.InitializeResult(); res != nil {
		s.protocol = res.ProtocolVersion
	}
	if s.web != nil && s.protocol < modernRevision {
		s.stream = &stream{tried: make(chan struct{}), url: p.cfg.URL, client: s.web.client, oauth: s.web.oauth, session: inner.SessionID(), revision: s.protocol,
			max: s.web.max, deliver: s.tap.deliver}
		s.work.Go(func() { s.stream.listen(s.web.ctx) })
	}
	return s, nil
}

// given is a transport over a connection that is there already.
type given struct{ conn mcp.Connection }

func (g given) Connect(context.Context) (mcp.Connection, error) { return g.conn, nil }

// startError says why a server did not come up.
func (s *session) startError(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("no answer to the first request within %v", startTimeout)
	}
	if s.child == nil {
		var login *loginError
		if _, why, ok := strings.Cut(err.Error(), rejected+": "); ok && !errors.As(err, &login) {
			err = errors.New(why) // without the SDK's words around it
		}
		return fmt.Errorf("connect: %w", err)
	}
	return s.child.explain(err)
}

// whyEnded says why a session that worked has ended.
func (s *session) whyEnded() error {
	if s.child == nil {
		return errors.New("the connection ended")
	}
	return s.child.explain(errors.New("it closed its output"))
}

// abort ends the transport at once. What is under way fails.
func (s *session) abort() {
	s.cut()
	_ = s.tap.Close() // there is nobody to tell
}

// close says goodbye and leaves nothing behind. It may be called again.
func (s *session) close() {
	if s.client != nil && s.child == nil {
		// Over HTTP the goodbye is a request of its own.
		timer := time.AfterFunc(closeTimeout, s.abort)
		_ = s.client.Close()
		timer.Stop()
	}
	s.abort()
	if s.child != nil {
		s.child.stop()
	}
	s.work.Wait()
	if s.client != nil {
		_ = s.client.Close()
	}
}

// oddities tells what was lived with.
func (s *session) oddities() []string {
	var out []string
	if s.child != nil {
		if n := s.child.dropped.Load(); n > 0 {
			out = append(out, fmt.Sprintf("%d lines on stdout were no messages and were dropped", n))
		}
		if n := s.child.mended.Load(); n > 0 {
			out = append(out, fmt.Sprintf("%d messages were no valid UTF-8 and were mended", n))
		}
	}
	return out
}

// progress passes a notification on to the call it belongs to.
func (s *session) progress(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
	if req == nil || req.Params == nil {
		return
	}
	if tell, ok := s.tokens.Load(fmt.Sprint(req.Params.ProgressToken)); ok {
		tell.(func(catalog.Progress))(catalog.Progress{
			Message: clip(clean(s.p.redact(req.Params.Message)), maxQuestionText), Progress: req.Params.Progress, Total: req.Params.Total})
	}
}
