package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
)

// registered is what the SDK has been given.
type registered struct {
	mu    sync.Mutex
	tools map[string]*catalog.Tool // guarded by mu
	again bool                     // guarded by mu: one tool must be registered once more
}

// Refresh brings the list of tools up to the dispatcher's catalog. Clients are
// told by the SDK when it changed.
func (s *Server) Refresh() {
	s.list.mu.Lock()
	defer s.list.mu.Unlock()
	now := map[string]*catalog.Tool{}
	for _, t := range s.opts.Dispatch.Catalog().Visible(policy.Principal{Role: policy.Admin}) {
		now[t.PublicName()] = t
		if old := s.list.tools[t.PublicName()]; old == nil || s.list.again || !sameDefinition(old, t) {
			s.add(t)
			s.list.again = false
		}
	}
	var gone []string
	for name := range s.list.tools {
		if now[name] == nil {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		s.mcp.RemoveTools(gone...)
	}
	s.list.tools = now
}

// add registers a tool. The SDK panics on schemas that it can't serve: clients
// then see that of any object, and the tool stays callable.
func (s *Server) add(t *catalog.Tool) {
	d := definition(t)
	defer func() {
		if p := recover(); p != nil {
			s.opts.Log.Warn("schema of a tool can't be shown to clients", "tool", t.Path(), "reason", fmt.Sprint(p))
			d.InputSchema, d.OutputSchema = json.RawMessage(`{"type":"object"}`), nil
			s.mcp.AddTool(d, s.talking(s.callTool(t.PublicName())))
		}
	}()
	s.mcp.AddTool(d, s.talking(s.callTool(t.PublicName())))
}

func sameDefinition(a, b *catalog.Tool) bool {
	return a.Title == b.Title && a.Description == b.Description && a.Stale == b.Stale &&
		bytes.Equal(a.InputSchema, b.InputSchema) && bytes.Equal(a.OutputSchema, b.OutputSchema) &&
		reflect.DeepEqual(a.Annotations, b.Annotations)
}

// listWait is how long the first tools/list waits for servers that are starting:
// many clients list once and never again.
const listWait = 2 * time.Second

// awaitServers holds the first tools/list back while servers are starting. What
// auto means is settled then.
func (s *Server) awaitServers(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == "tools/list" && !s.lists.hasBegun() {
			s.settle(ctx, listWait)
			s.lists.begin()
		}
		return next(ctx, method, req)
	}
}
