package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/auth"
	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/httpd"
	"codemode-mcp/internal/policy"
)

// HTTPOptions configure an HTTP handler.
type HTTPOptions struct {
	// MaxSessions and MaxSessionsPerPrincipal bound the sessions of the revisions
	// that have them.
	MaxSessions, MaxSessionsPerPrincipal int
	// SessionTimeout ends a session to which no request came.
	SessionTimeout time.Duration
	// MaxBody bounds a message, in bytes.
	MaxBody int64
	// Closed is told of a session that ended. Nil: nobody.
	Closed func(principal, session string)
}

// HTTP serves MCP over streamable HTTP, behind [httpd.Server]: identity and body
// have been checked. Requests of 2026-07-28 have no sessions; those of older
// revisions do. The SDK needs a handler for each, over one server.
type HTTP struct {
	mcp       *mcp.Server
	stateless http.Handler
	sessional http.Handler
	sessions  *sessions
}

// HTTPHandler makes the handler of the server's endpoint.
func (s *Server) HTTPHandler(opts HTTPOptions) *HTTP {
	if s.opts.Bridge != nil && opts.Closed == nil {
		opts.Closed = s.opts.Bridge.EndSession
	}
	return NewHTTP(s.mcp, opts)
}

// NewHTTP makes the handler of any server of the SDK: the fixture that the
// conformance suite tests has other tools, and this very stack.
func NewHTTP(server *mcp.Server, opts HTTPOptions) *HTTP {
	h := &HTTP{mcp: server, sessions: newSessions(opts)}
	server.AddReceivingMiddleware(h.sessions.middleware)
	get := func(*http.Request) *mcp.Server { return server }
	// The SDK takes the identity from its own bearer check only. The token itself
	// goes no further: what is checked here is what httpd has found.
	known := sdkauth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*sdkauth.TokenInfo, error) {
		id, ok := auth.Of(ctx)
		if !ok {
			return nil, errors.New("BUG: no identity")
		}
		return &sdkauth.TokenInfo{UserID: id.Principal.ID, Extra: map[string]any{identityExtra: id}}, nil
	}, &sdkauth.RequireBearerTokenOptions{AllowMissingExpiration: true})
	h.stateless = known(mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true, // the request is the run
		DisableLocalhostProtection:   true, // httpd has checked the host
		MaxRequestBodyBytes:          opts.MaxBody,
	}))
	h.sessional = known(mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		EventStore:                 h.sessions,
		SessionTimeout:             opts.SessionTimeout,
		DisableLocalhostProtection: true,
		MaxRequestBodyBytes:        opts.MaxBody,
	}))
	return h
}

// settleWithin is how long a session that is ended waits for the answers of its requests.
const settleWithin = 2 * time.Second

// identityExtra is where the identity is in the SDK's token.
const identityExtra = "codemode/identity"

// ServeHTTP sends a request to the handler of its revision.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Header.Set("Authorization", "Bearer checked")
	if problem := paramsProblem(httpd.Message(r)); problem != "" {
		httpd.RefuseParams(w, r, problem)
		return
	}
	if httpd.Revision(r) >= modern {
		h.stateless.ServeHTTP(w, r)
		return
	}
	id, _ := auth.Of(r.Context())
	session := r.Header.Get(sessionHeader)
	switch {
	case session == "" && r.Method == http.MethodPost && !slices.Contains(sessionless, httpd.Message(r).Method):
		// The SDK would make a session for it, refuse it there with a code of 0, and
		// throw it away.
		httpd.Refuse(w, r, http.StatusBadRequest, "the Mcp-Session-Id header is missing: initialize first")
		return
	case session == "" && r.Method == http.MethodPost && h.sessions.full(id.Principal.ID):
		w.Header().Set("Retry-After", "60")
		httpd.Refuse(w, r, http.StatusTooManyRequests, "too many sessions: end one with DELETE, or wait")
		return
	case session != "" && !h.sessions.owns(id.Principal.ID, session):
		// Whether another principal has it is nobody's business.
		httpd.Refuse(w, r, http.StatusNotFound, "session not found: initialize a new one")
		return
	}
	switch r.Method {
	case http.MethodDelete:
		h.sessions.settle(r.Context(), session, settleWithin)
	case http.MethodPost:
		defer h.sessions.opened(session)()
	}
	h.sessional.ServeHTTP(w, r)
}

// sessionless are the methods that need no session.
var sessionless = []string{"initialize", "ping", "server/discover"}

const sessionHeader = "Mcp-Session-Id"

// Sessions is how many sessions there are.
func (h *HTTP) Sessions() int { return h.sessions.count() }

// Close ends every session.
func (h *HTTP) Close() {
	h.sessions.cancelAll()
	for s := range h.mcp.Sessions() {
		_ = s.Close() // it is over either way
	}
}

// identity is who makes a request over HTTP.
func identity(req mcp.Request) (auth.Identity, bool) {
	if req == nil {
		return auth.Identity{}, false
	}
	extra := req.GetExtra()
	if extra == nil || extra.TokenInfo == nil {
		return auth.Identity{}, false
	}
	id, ok := extra.TokenInfo.Extra[identityExtra].(auth.Identity)
	return id, ok
}

func tokenPrincipal(req mcp.Request) (policy.Principal, bool) {
	id, ok := identity(req)
	return id.Principal, ok
}

// carryToken lets the caller's token reach the upstream servers whose entry asks
// for it.
func carryToken(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if id, ok := identity(req); ok && id.Token != "" {
			ctx = catalog.WithToken(ctx, id.Token)
		}
		return next(ctx, method, req)
	}
}
