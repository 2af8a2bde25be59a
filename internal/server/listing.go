package server

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/bridge"
	"codemode-mcp/internal/discover"
	"codemode-mcp/internal/dispatch"
	"codemode-mcp/internal/policy"
)

// listings are what clients see of one catalog, by role: a text over thousands of
// tools is written once, not for every request.
type listings struct {
	mu sync.Mutex
	// settled is what auto came to mean. It is kept: a list that a model has seen
	// must not lose its tools because others came.
	settled map[policy.Role]discover.Exposure // guarded by mu
	listed  bool                              // guarded by mu: the first list was asked for
	known   map[listingKey]*listing           // guarded by mu
}

// listingKey is all that a listing depends on.
type listingKey struct {
	version  uint64
	live     *live
	role     policy.Role
	mode     string
	starting bool
}

// listing is what clients of one role see.
type listing struct {
	names        map[string]bool
	execute      *mcp.Tool
	instructions string
}

// listing gives what a principal's client sees.
func (s *Server) listing(p policy.Principal) *listing {
	live := s.live.Load()
	v := discover.View{Catalog: s.opts.Dispatch.Catalog(), Principal: p}
	tools := v.Catalog.Visible(p)
	starting := s.starting()
	exposure := s.lists.exposure(s.exposure(), p.Role, len(tools), starting)
	key := listingKey{v.Catalog.Version(), live, p.Role, exposure.Mode, starting}
	s.lists.mu.Lock()
	l := s.lists.known[key]
	s.lists.mu.Unlock()
	if l != nil {
		return l
	}
	l = &listing{names: map[string]bool{}}
	for _, t := range tools {
		if exposure.Lists(t) {
			l.names[t.PublicName()] = true
		}
	}
	f := discover.Facts{Limits: live.limits, Hint: s.opts.Hint, Starting: starting,
		Scripts: exposure.CodeTools(), Hidden: len(l.names) < len(tools)}
	l.instructions = v.Instructions(f)
	if exposure.CodeTools() {
		l.execute = s.executeDefinition(v.Description(f))
		l.names[bridge.ToolName], l.names[searchTool] = true, true
	}
	s.lists.keep(key, l)
	return l
}

// starting reports whether servers have neither come up nor failed yet.
func (s *Server) starting() bool {
	if s.opts.Settled == nil {
		return false
	}
	now, cancel := context.WithCancel(context.Background())
	cancel() // not to wait
	return s.opts.Settled(now) != nil
}

// exposure is the one that was asked for. Where there are no scripts, nothing is
// gained by hiding tools.
func (s *Server) exposure() discover.Exposure {
	if s.opts.Bridge == nil {
		return discover.Exposure{Mode: discover.Plain}
	}
	return s.opts.Exposure
}

// exposure settles what auto means. While servers are starting it may turn from
// all tools to few of them, never back; then it stays.
func (l *listings) exposure(e discover.Exposure, role policy.Role, tools int, starting bool) discover.Exposure {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now, ok := l.settled[role]; ok {
		return now
	}
	now := e.Settle(tools)
	if l.listed && (!starting || now.Mode == discover.Auto) {
		if l.settled == nil {
			l.settled = map[policy.Role]discover.Exposure{}
		}
		l.settled[role] = now
	}
	return now
}

// begin is told that a list is answered: what auto means counts from the first one.
func (l *listings) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listed = true
}

func (l *listings) hasBegun() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.listed
}

// keep keeps a listing, and forgets those of older catalogs.
func (l *listings) keep(key listingKey, made *listing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for old := range l.known {
		if old.version != key.version || old.live != key.live {
			delete(l.known, old)
		}
	}
	if l.known == nil {
		l.known = map[listingKey]*listing{}
	}
	l.known[key] = made
}

// helloWait is how long the first words to a client wait for servers that are
// starting, so that the instructions can name them. Those that are known from
// earlier runs need no waiting.
const helloWait = 300 * time.Millisecond

// settle waits for servers that are starting.
func (s *Server) settle(ctx context.Context, most time.Duration) {
	if s.opts.Settled == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	_ = s.opts.Settled(ctx) // what is not there by then comes with list_changed
}

// showListing leaves in a list what the principal's client is to see, and tells it
// what is for its role in the instructions.
func (s *Server) showListing(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == "initialize" || method == "server/discover" {
			s.settle(ctx, helloWait)
		}
		res, err := next(ctx, method, req)
		if err != nil {
			return res, err
		}
		switch r := res.(type) { // the SDK owns the originals
		case *mcp.ListToolsResult:
			l := s.listing(s.principal(req))
			kept := *r
			kept.Tools = []*mcp.Tool{}
			for _, t := range r.Tools {
				if !l.names[t.Name] {
					continue
				}
				if t.Name == bridge.ToolName && l.execute != nil {
					t = l.execute
				}
				kept.Tools = append(kept.Tools, t)
			}
			return &kept, nil
		case *mcp.InitializeResult:
			told := *r
			told.Instructions = s.listing(s.principal(req)).instructions
			return &told, nil
		case *mcp.DiscoverResult:
			told := *r
			told.Instructions = s.listing(s.principal(req)).instructions
			return &told, nil
		}
		return res, nil
	}
}

// view is what a request's principal sees, with what its session has learned.
func (s *Server) view(req mcp.Request) discover.View {
	p := s.principal(req)
	v := discover.View{Catalog: s.opts.Dispatch.Catalog(), Principal: p}
	if id, ok := s.sessionID(req); ok && s.opts.Bridge != nil {
		v.Learned = s.opts.Bridge.Learned(p.ID, id)
	}
	return v
}

// sessionID is the transport's session of a request. It is empty on stdio, where
// the process is the session; revisions without sessions have none.
func (s *Server) sessionID(req mcp.Request) (id string, ok bool) {
	if !s.opts.Handles {
		return "", true
	}
	session, ok := req.GetSession().(*mcp.ServerSession)
	if !ok || session == nil || session.ID() == "" {
		return "", false
	}
	return session.ID(), true
}

// learn tells the bridge of a direct call's answer.
func (s *Server) learn(req *mcp.CallToolRequest, a *dispatch.Answer) {
	if id, ok := s.sessionID(req); ok && s.opts.Bridge != nil {
		s.opts.Bridge.Learn(s.principal(req).ID, id, a)
	}
}
