// Package server is the MCP surface: which tools, resources and prompts a client
// sees, and how the answers of the house look on the wire.
//
// It and upstream are the only packages that import the MCP SDK. It decides
// nothing about a call: every one goes to the dispatcher or to the bridge.
package server

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/bridge"
	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/discover"
	"codemode-mcp/internal/dispatch"
	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/policy"
)

// Options configure a Server.
type Options struct {
	// Version is the program's version, told to clients.
	Version string
	// Dispatch calls the tools.
	Dispatch *dispatch.Dispatcher
	// Bridge runs scripts. Nil when they are disabled.
	Bridge *bridge.Bridge
	// Limits are told to models where they matter.
	Limits limits.Limits
	// Principal is who calls over stdio.
	Principal policy.Principal
	// Settled waits until the upstream servers have come up, or have failed to. Nil:
	// there are none.
	Settled func(context.Context) error
	// Handles says that requests of 2026-07-28 come without a session, as over HTTP:
	// execute_script then gives and takes session handles.
	Handles bool
	// Exposure says which tools clients list.
	Exposure discover.Exposure
	// Ran is told of every run when it ends: the kind of its failure, or nothing. It
	// must not block. Nil: nobody.
	Ran func(kind string, took time.Duration)
	// Hint is told to models beside the tools, such as how to get a workspace.
	Hint string
	// Log takes what the SDK logs and what panicked. Required.
	Log *slog.Logger
}

// Server is the MCP server.
type Server struct {
	opts    Options // Limits and Principal in it are those at the start
	live    atomic.Pointer[live]
	mcp     *mcp.Server
	list    registered
	lists   listings
	talks   talks
	written written
	// life ends when serving is stopped, and with it every request under way: the
	// SDK would wait for them.
	life context.Context
	stop context.CancelFunc
}

// New makes a server with the tools of the dispatcher's catalog.
func New(opts Options) *Server {
	s := &Server{opts: opts}
	s.live.Store(&live{opts.Limits, opts.Principal})
	s.life, s.stop = context.WithCancel(context.Background())
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "codemode-mcp", Title: "Code Mode", Version: opts.Version}, &mcp.ServerOptions{
		Logger:            sdkLog(opts.Log),
		CompletionHandler: s.completion(),
		Capabilities:      s.capabilities(),
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.CacheScope = "private" // every list depends on who asks
		},
	})
	s.mcp.AddReceivingMiddleware(Shield(opts.Log), carryToken, s.endWithUs, s.refuseUndeclared, s.awaitServers, s.showListing, s.nameUnknownTool)
	s.Refresh()
	if opts.Bridge != nil {
		s.mcp.AddTool(s.executeDefinition(""), s.talking(s.execute)) // its text is that of the listing
		s.addSearch()
		s.addDeclarations()
		s.addResults()
		s.addPrompt()
	}
	return s
}

func (s *Server) capabilities() *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}}
	if s.opts.Bridge != nil {
		c.Resources = &mcp.ResourceCapabilities{ListChanged: true}
		c.Prompts = &mcp.PromptCapabilities{}
		c.Completions = &mcp.CompletionCapabilities{}
	}
	return c
}

// principal is who makes a request: over HTTP whom its token stands for, on stdio
// the local user.
func (s *Server) principal(req mcp.Request) policy.Principal {
	if p, ok := tokenPrincipal(req); ok {
		return p
	}
	return s.live.Load().principal
}

// modern is the first revision of MCP whose transports have no sessions.
const modern = "2026-07-28"

// session says whose state a script sees: the transport's session, or, where it
// has none, that of a handle. On stdio the process is the session.
func (s *Server) session(req *mcp.CallToolRequest) (id string, handles bool) {
	switch {
	case !s.opts.Handles:
		return "", false
	case req.ProtocolVersion() >= modern:
		return "", true
	}
	return req.Session.ID(), false
}

// definition is a tool as clients see it.
func definition(t *catalog.Tool) *mcp.Tool {
	d := &mcp.Tool{
		Name:        t.PublicName(),
		Title:       t.Title,
		Description: t.Description,
		InputSchema: t.InputSchema,
		Annotations: &mcp.ToolAnnotations{
			Title:           t.Title,
			ReadOnlyHint:    t.Annotations.ReadOnly,
			DestructiveHint: t.Annotations.Destructive,
			IdempotentHint:  t.Annotations.Idempotent,
			OpenWorldHint:   t.Annotations.OpenWorld,
		},
	}
	if t.OutputSchema != nil {
		d.OutputSchema = t.OutputSchema
	}
	if t.Stale {
		d.Meta = mcp.Meta{"codemode/stale": true}
	}
	return d
}

// callTool serves a direct call of one tool, by its public name: that means no
// other tool.
func (s *Server) callTool(public string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p := startProgress(ctx, req)
		defer p.stop()
		ctx = catalog.WithProgress(ctx, p.upstream)
		res, err := s.opts.Dispatch.Call(ctx, dispatch.Call{
			Principal: s.principal(req),
			Tool:      public,
			Args:      req.Params.Arguments,
		})
		if err != nil {
			return errorResult(err), nil
		}
		s.learn(req, res)
		return result(res.Result), nil
	}
}
