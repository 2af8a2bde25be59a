package server

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
)

// A talk is one tools/call of revision 2026-07-28 that asks its client questions.
//
// That revision has no requests from the server. The answer to tools/call is the
// question instead, with an opaque state; the client calls again, with the state and
// its answers. The call itself goes on between the two: it is parked, with the
// script and all, under a random state that is good for one use, bound to the
// principal and to the call as it was made, and forgotten after a time.

const (
	// maxQuestions bounds the questions of one call. The SDK's client gives up after
	// ten rounds.
	maxQuestions = 32
	// parkSlack is how much longer than the human's time a parked call is kept, so
	// that an answer that is late hears what became of it.
	parkSlack = time.Minute
)

type talk struct {
	principal string
	digest    [sha256.Size]byte // of the call
	ctx       context.Context   // of the work, which outlives a request
	cancel    context.CancelFunc
	listener  atomic.Pointer[listener] // whom progress is told; nil while nobody listens

	done chan struct{} // closed when the work has ended
	res  *mcp.CallToolResult
	err  error

	wake chan struct{} // told of a new question

	mu   sync.Mutex
	caps *mcp.ClientCapabilities // guarded by mu: of the request that came last
	open map[string]*question    // guarded by mu: without an answer
	n    int                     // guarded by mu: questions so far
}

type question struct {
	params mcp.InputRequest
	answer chan mcp.InputResponse // closed when it can't be asked now
}

type talkKey struct{}

// talking lets a tool's handler ask its client: by requests in the revisions that
// have them, else by parking the call.
func (s *Server) talking(next mcp.ToolHandler) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		who := catalog.Asker{Principal: s.principal(req).ID}
		caps := req.ClientCapabilities()
		switch {
		case req.ProtocolVersion() < modern:
			who.Ask = askSession(req)
		case req.Params.RequestState != "":
			return s.resume(ctx, req)
		case caps != nil && (caps.Elicitation != nil || caps.Sampling != nil) && s.limits().HumanWait() > 0:
			return s.begin(ctx, req, next)
		}
		return next(catalog.WithAsker(ctx, who), req)
	}
}

// begin starts the work of a call that may ask.
func (s *Server) begin(ctx context.Context, req *mcp.CallToolRequest, next mcp.ToolHandler) (*mcp.CallToolResult, error) {
	t := &talk{principal: s.principal(req).ID, digest: callDigest(req), caps: req.ClientCapabilities(),
		done: make(chan struct{}), wake: make(chan struct{}, 1), open: map[string]*question{}}
	work, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(ctx), talkKey{}, t))
	stop := context.AfterFunc(s.life, cancel)
	t.ctx, t.cancel = work, cancel
	t.listen(ctx, req)
	s.talks.wg.Add(1)
	go func() {
		defer s.talks.wg.Done()
		defer close(t.done)
		defer stop()
		defer cancel()
		defer func() {
			if p := recover(); p != nil { // this goroutine is not under the shield
				s.opts.Log.Error("call panicked", "panic", fmt.Sprint(p))
				t.err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
			}
		}()
		t.res, t.err = next(catalog.WithAsker(work, catalog.Asker{Principal: t.principal, Ask: t.ask}), req)
	}()
	return s.follow(ctx, t)
}

// follow waits for the end of the work, or for a question.
func (s *Server) follow(ctx context.Context, t *talk) (*mcp.CallToolResult, error) {
	defer t.listener.Store(nil)
	for {
		select {
		case <-t.done:
			return t.res, t.err
		case <-t.wake:
		case <-ctx.Done(): // the client gave the call up
			t.cancel()
			<-t.done
			return t.res, t.err
		}
		requests := t.questions()
		if len(requests) == 0 {
			continue // the asker has gone
		}
		state, ok := s.talks.park(t, s.limits().HumanWait()+parkSlack)
		if !ok {
			t.refuse()
			continue
		}
		return &mcp.CallToolResult{InputRequests: requests, RequestState: state}, nil
	}
}

// resume goes on with a parked call.
func (s *Server) resume(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	t := s.talks.take(req.Params.RequestState, s.principal(req).ID, callDigest(req))
	if t == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
			Message: "requestState is unknown: it was used, is too old, or belongs to another call; make the call anew without it"}
	}
	t.listen(ctx, req)
	t.deliver(req)
	return s.follow(ctx, t)
}

// ask puts a question to the client, and waits.
func (t *talk) ask(ctx context.Context, q catalog.Question) (json.RawMessage, error) {
	t.mu.Lock()
	params, err := asked(t.caps, q)
	if err == nil && t.n >= maxQuestions {
		err = fmt.Errorf("a call may ask %d questions", maxQuestions)
	}
	if err != nil {
		t.mu.Unlock()
		return nil, err
	}
	t.n++
	id := fmt.Sprintf("question-%d", t.n)
	own := &question{params, make(chan mcp.InputResponse, 1)}
	t.open[id] = own
	t.mu.Unlock()
	t.poke()
	defer func() {
		t.mu.Lock()
		delete(t.open, id)
		t.mu.Unlock()
	}()
	select {
	case answer, ok := <-own.answer:
		if !ok {
			return nil, errTooMany
		}
		return json.Marshal(answer)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t *talk) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// questions are those that are open.
func (t *talk) questions() mcp.InputRequestMap {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := mcp.InputRequestMap{}
	for id, q := range t.open {
		out[id] = q.params
	}
	return out
}

// deliver hands answers on. What was not answered is asked once more.
func (t *talk) deliver(req *mcp.CallToolRequest) {
	t.mu.Lock()
	t.caps = req.ClientCapabilities()
	for id, answer := range req.Params.InputResponses {
		if q := t.open[id]; q != nil && fits(q.params, answer) {
			q.answer <- answer
			delete(t.open, id)
		}
	}
	left := len(t.open)
	t.mu.Unlock()
	if left > 0 {
		t.poke()
	}
}

// refuse ends what is open without an answer: there is no place to wait for one.
func (t *talk) refuse() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, q := range t.open {
		close(q.answer)
		delete(t.open, id)
	}
}

var errTooMany = errors.New("too many calls wait for their clients")

// listener is a request that hears of progress.
type listener struct {
	ctx     context.Context
	session *mcp.ServerSession
	token   any
}

func (t *talk) listen(ctx context.Context, req *mcp.CallToolRequest) {
	if token := req.Params.GetProgressToken(); token != nil {
		t.listener.Store(&listener{ctx, req.Session, token})
	}
}
