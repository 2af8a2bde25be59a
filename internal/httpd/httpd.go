// Package httpd is the HTTP side of the endpoint, all but MCP: who may connect,
// which hosts and origins, who it is, how much and how often, how a silent answer
// is kept alive, what is logged, and how it all ends.
//
// It hands requests that passed to one handler, with the body in memory and the
// identity in the context. It owns the listeners and every request under way. Of
// this module it imports auth and config; it must not import the MCP SDK.
package httpd

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codemode-mcp/internal/auth"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/jsonrpc"
)

// Path is where MCP is.
const Path = "/mcp"

// Options configure a Server.
type Options struct {
	// MCP serves what passed. Required.
	MCP http.Handler
	// Config are the settings. Required.
	Config config.Endpoint
	// Auth says who makes a request. Required.
	Auth Verifier
	// Ready says whether requests can be served, and what is not. Nil: always.
	Ready func() (ok bool, detail map[string]string)
	// Observe is told of every request when it ends. It must not block. Nil: nobody.
	Observe func(Event)
	// Log takes one line for each request. Required.
	Log *slog.Logger
}

// Verifier says who makes a request. [auth.Verifier] is one.
type Verifier interface {
	// Verify gives an [*auth.Error] for who is refused.
	Verify(*http.Request) (auth.Identity, error)
	// Metadata says how to come by a token: whose they are, or empty, and the scopes
	// to ask for.
	Metadata() (issuer string, scopes []string)
}

// Event is what happened to one request.
type Event struct {
	Start  time.Time
	Took   time.Duration
	Method string
	Path   string
	// RPC is the JSON-RPC method, or empty. It comes from outside.
	RPC string
	// Tool is the tool called, or empty. It comes from outside.
	Tool      string
	Version   string
	Status    int
	Bytes     int64
	Principal string
	Address   string
	// Reason says why the request was refused, or is empty.
	Reason string
}

// Server serves the endpoint. It is safe for concurrent use.
type Server struct {
	opts  Options
	names names
	rates rates
	gate  gate

	endless endlessStreams

	draining atomic.Bool
	running  sync.WaitGroup // requests that a drain waits for
	mu       sync.Mutex     // orders running.Add and the drain's Wait
	streams  context.Context
	endAll   context.CancelFunc // ends streams, which have no end of their own
	cut      context.Context
	cutAll   context.CancelFunc // tells MCP to end what a drain does not wait for any longer
	over     context.Context
	overAll  context.CancelFunc // takes the connection from those that have not ended then
}

// New makes a server.
func New(opts Options) *Server {
	s := &Server{opts: opts, names: newNames(opts.Config), rates: newRates(opts.Config), gate: newGate(opts.Config)}
	s.streams, s.endAll = context.WithCancel(context.Background())
	s.cut, s.cutAll = context.WithCancel(context.Background())
	s.over, s.overAll = context.WithCancel(context.Background())
	if s.opts.Ready == nil {
		s.opts.Ready = func() (bool, map[string]string) { return true, nil }
	}
	if s.opts.Observe == nil {
		s.opts.Observe = func(Event) {}
	}
	return s
}

// request is one request on its way.
type request struct {
	*http.Request
	w       *recorder
	ev      Event
	message message
	reviews uint64 // how many there had been when the token was checked
}

// recorder knows what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets a ResponseController find the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// ServeHTTP serves one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := &request{Request: r, w: &recorder{ResponseWriter: w}}
	req.ev = Event{Start: time.Now(), Method: r.Method, Path: r.URL.Path, Address: s.names.address(r)}
	defer s.ended(req)
	defer func() {
		if p := recover(); p != nil {
			req.ev.Reason = "panic"
			s.opts.Log.Error("request panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if req.w.status == 0 {
				refuse(req.w, http.StatusInternalServerError, codeInternal, req.message.id, "internal error")
			}
		}
	}()
	switch path := r.URL.EscapedPath(); path {
	case Path:
		s.serveMCP(req)
	case "/healthz":
		_, _ = fmt.Fprintln(req.w, "ok")
	case "/readyz":
		s.serveReady(req.w, false)
	case metadataPath, metadataPath + Path:
		s.serveMetadata(req)
	default:
		s.refuse(req, http.StatusNotFound, "there is nothing here: the endpoint is "+Path, "no such path")
	}
}

// refuse answers a request that goes no further.
func (s *Server) refuse(r *request, status int, text, reason string) {
	r.ev.Reason = reason
	refuse(r.w, status, codeFor(status), r.message.id, text)
}

// ended logs a request.
func (s *Server) ended(r *request) {
	r.ev.Took, r.ev.Status, r.ev.Bytes = time.Since(r.ev.Start), r.w.status, r.w.bytes
	s.opts.Observe(r.ev)
	level := slog.LevelInfo
	switch r.ev.Path {
	case "/healthz", "/readyz":
		level = slog.LevelDebug // probes come every few seconds
	}
	attrs := []slog.Attr{
		slog.String("method", clip(r.ev.Method, 20)), slog.String("path", clip(r.ev.Path, 100)), slog.Int("status", r.ev.Status),
		slog.Duration("took", r.ev.Took), slog.Int64("bytes", r.ev.Bytes), slog.String("address", r.ev.Address),
	}
	for _, a := range [][2]string{{"rpc", r.ev.RPC}, {"tool", r.ev.Tool}, {"revision", r.ev.Version}, {"principal", r.ev.Principal}, {"reason", r.ev.Reason}} {
		if a[1] != "" {
			attrs = append(attrs, slog.String(a[0], clip(a[1], 200)))
		}
	}
	s.opts.Log.LogAttrs(context.Background(), level, "request", attrs...)
}

func clip(s string, n int) string {
	if len(s) > n {
		s = s[:n] + "..."
	}
	return strings.ToValidUTF8(s, "?")
}

// serveReady says whether requests can be served. Names of servers are for the
// operator's own address only.
func (s *Server) serveReady(w http.ResponseWriter, detailed bool) {
	ok, detail := s.opts.Ready()
	if s.draining.Load() {
		ok, detail = false, map[string]string{"endpoint": "is shutting down"}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	answer := map[string]any{"ready": ok}
	if detailed {
		answer["detail"] = detail
	}
	if !ok {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(answer) // a client that is gone needs no answer
}

type messageKey struct{}

// requestID is the JSON-RPC id of a request that passed, or nil.
func requestID(r *http.Request) json.RawMessage {
	m, _ := r.Context().Value(messageKey{}).(message)
	return m.id
}

// Revision is the revision of MCP that a request speaks, as its header or its
// message says, or empty.
func Revision(r *http.Request) string {
	if v := r.Header.Get(versionHeader); v != "" {
		return v
	}
	m, _ := r.Context().Value(messageKey{}).(message)
	return m.version
}

// Message is the JSON-RPC message of a request. It is empty for a batch.
func Message(r *http.Request) jsonrpc.Message {
	m, _ := r.Context().Value(messageKey{}).(message)
	if m.batch {
		return jsonrpc.Message{}
	}
	return m.first
}

const versionHeader = "Mcp-Protocol-Version"
