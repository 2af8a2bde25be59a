package server

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions are those of the revisions that have them: whose each is, what its
// streams may still replay, and what ends with it. It is the SDK's EventStore,
// because that alone is told when a session ends.
type sessions struct {
	opts HTTPOptions

	mu    sync.Mutex
	byID  map[string]*httpSession // guarded by mu
	bytes int                     // guarded by mu: of all events kept
	clock uint64                  // guarded by mu
}

// httpSession is one session. Its fields are guarded by sessions.mu.
type httpSession struct {
	owner   string // the principal's ID; empty until it is initialized
	ctx     context.Context
	cancel  context.CancelFunc
	streams map[string]*events
	bytes   int // of all streams
	used    uint64
	posts   int           // requests whose stream is open
	quiet   chan struct{} // closed when there are none any more; nil if nobody waits for it
}

func newSessions(opts HTTPOptions) *sessions {
	return &sessions{opts: opts, byID: map[string]*httpSession{}}
}

// getLocked finds or makes a session.
func (s *sessions) getLocked(id string) *httpSession {
	h := s.byID[id]
	if h == nil {
		h = &httpSession{streams: map[string]*events{}}
		h.ctx, h.cancel = context.WithCancel(context.Background())
		s.byID[id] = h
	}
	s.clock++
	h.used = s.clock
	return h
}

func (s *sessions) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID)
}

// full reports whether a principal may have no further session.
func (s *sessions) full(principal string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fullLocked(principal)
}

func (s *sessions) fullLocked(principal string) bool {
	own, all := 0, 0
	for _, h := range s.byID {
		if h.owner == "" {
			continue // it is being made, perhaps by the very one who asks
		}
		all++
		if h.owner == principal {
			own++
		}
	}
	return all >= s.opts.MaxSessions || own >= s.opts.MaxSessionsPerPrincipal
}

// owns reports whether a session is a principal's.
func (s *sessions) owns(principal, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.byID[id]
	return h != nil && h.owner == principal
}

// opened counts a request whose answer goes out on its own stream, until done is called.
func (s *sessions) opened(id string) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.byID[id]
	if h == nil {
		return func() {}
	}
	h.posts++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if h.posts--; h.posts == 0 && h.quiet != nil {
			close(h.quiet)
			h.quiet = nil
		}
	}
}

// settle ends the requests under way of a session, and waits until each has its answer:
// the SDK closes their streams with the session.
func (s *sessions) settle(ctx context.Context, id string, within time.Duration) {
	s.mu.Lock()
	h := s.byID[id]
	if h == nil {
		s.mu.Unlock()
		return
	}
	h.cancel()
	if h.posts > 0 && h.quiet == nil {
		h.quiet = make(chan struct{})
	}
	quiet := h.quiet
	s.mu.Unlock()
	if quiet == nil {
		return
	}
	limit := time.NewTimer(within)
	defer limit.Stop()
	select {
	case <-quiet:
	case <-limit.C: // a client that does not read
	case <-ctx.Done():
	}
}

func (s *sessions) cancelAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.byID {
		h.cancel()
	}
}

// middleware gives a session its owner when it is initialized, and lets its
// requests end with it: their streams may be resumed, so that a connection that
// breaks ends none of them.
func (s *sessions) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, ok := req.GetSession().(*mcp.ServerSession)
		if !ok || session.ID() == "" {
			return next(ctx, method, req)
		}
		p, _ := tokenPrincipal(req)
		life, err := s.enter(session.ID(), p.ID, method == "initialize")
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(life, cancel)()
		return next(ctx, method, req)
	}
}

func (s *sessions) enter(id, principal string, first bool) (life context.Context, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first {
		if s.fullLocked(principal) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "too many sessions: end one with DELETE, or wait"}
		}
		h := s.getLocked(id)
		h.owner = principal
		return h.ctx, nil
	}
	h := s.byID[id]
	if h == nil {
		return context.Background(), nil // it is not initialized: the SDK refuses what it must
	}
	return h.ctx, nil
}
