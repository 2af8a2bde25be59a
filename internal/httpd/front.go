package httpd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"codemode-mcp/internal/auth"
)

const (
	// bodyWithin is how long a body may take to arrive.
	bodyWithin = 30 * time.Second
	// drainBody bounds what is read of a body that is refused: a client that is
	// still sending would else see a reset instead of the answer.
	drainBody = 32 << 20
	// maxSessionHeader bounds a session id, in bytes.
	maxSessionHeader = 128
)

// serveMCP is the way of an MCP request through every check. The order matters:
// what costs least and needs no token comes first.
func (s *Server) serveMCP(r *request) {
	if wait, ok := s.rates.address(r.ev.Address); !ok {
		s.tooMany(r, wait, "too many requests from this address", "address rate")
		return
	}
	if !s.names.host(r.Request) {
		s.refuse(r, http.StatusForbidden, "this host name is not served", "host "+strconv.Quote(clip(r.Host, 100)))
		return
	}
	if !s.origin(r) {
		return
	}
	if !slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodDelete}, r.Method) {
		r.w.Header().Set("Allow", "GET, POST, DELETE")
		s.refuse(r, http.StatusMethodNotAllowed, "the method is not allowed", "method")
		return
	}
	r.reviews = s.endless.count()
	id, ok := s.who(r)
	if !ok {
		return
	}
	r.ev.Principal = id.Principal.ID
	if wait, ok := s.rates.principal(id.Principal.ID); !ok {
		s.tooMany(r, wait, "too many requests: slow down", "principal rate")
		return
	}
	if session := r.Header.Values("Mcp-Session-Id"); len(session) > 1 || len(session) == 1 && len(session[0]) > maxSessionHeader {
		s.refuse(r, http.StatusBadRequest, "the Mcp-Session-Id header is no session's", "session header")
		return
	}
	if r.Method == http.MethodPost && !s.readMessage(r) {
		return
	}
	s.pass(r, id)
}

// who checks the token. A refusal says how to come by one, and nothing of why this
// one does not fit.
func (s *Server) who(r *request) (auth.Identity, bool) {
	id, err := s.opts.Auth.Verify(r.Request)
	if err == nil {
		return id, true
	}
	var e *auth.Error
	if !errors.As(err, &e) {
		e = &auth.Error{Status: http.StatusInternalServerError, Text: "internal error", Reason: err.Error()}
	}
	if e.Status == http.StatusServiceUnavailable { // our trouble, not a failed login
		r.w.Header().Set("Retry-After", strconv.Itoa(int(auth.RetryAfter.Seconds())))
		s.refuse(r, e.Status, e.Text, e.Reason)
		return id, false
	}
	if wait, ok := s.rates.failure(r.ev.Address); !ok {
		s.tooMany(r, wait, "too many requests without a valid token", "failed logins")
		return id, false
	}
	r.w.Header().Set("WWW-Authenticate", s.challenge(r.Request, e))
	s.refuse(r, e.Status, e.Text, e.Reason)
	return id, false
}

// challenge is the WWW-Authenticate header of RFC 6750 and RFC 9728.
func (s *Server) challenge(r *http.Request, e *auth.Error) string {
	out := `Bearer realm="codemode-mcp"`
	if e.Code != "" {
		out += fmt.Sprintf(`, error=%q, error_description=%q`, e.Code, e.Text)
	}
	if e.Scope != "" {
		out += fmt.Sprintf(`, scope=%q`, e.Scope)
	} else if _, scopes := s.opts.Auth.Metadata(); len(scopes) > 0 {
		out += fmt.Sprintf(`, scope=%q`, strings.Join(scopes, " "))
	}
	return out + fmt.Sprintf(`, resource_metadata=%q`, s.names.origin(r)+metadataPath+Path)
}

func (s *Server) tooMany(r *request, wait time.Duration, text, reason string) {
	r.w.Header().Set("Retry-After", strconv.Itoa(max(1, int(wait.Seconds()+0.999))))
	s.refuse(r, http.StatusTooManyRequests, text, reason)
}

// readMessage takes the body, bounded in size and time.
func (s *Server) readMessage(r *request) bool {
	limit := int64(s.opts.Config.MaxBodyKB) << 10
	ctl := http.NewResponseController(r.w)
	_ = ctl.SetReadDeadline(time.Now().Add(bodyWithin)) // HTTP/2 tests have none
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err == nil && int64(len(body)) > limit {
		_, _ = io.CopyN(io.Discard, r.Body, drainBody)
		r.w.Header().Set("Connection", "close")
		s.refuse(r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes", limit), "body size")
		return false
	}
	if err != nil {
		r.w.Header().Set("Connection", "close")
		s.refuse(r, http.StatusRequestTimeout, "the body did not arrive whole in time", "body")
		return false
	}
	_ = ctl.SetReadDeadline(time.Time{})
	m, code, refusal := parseMessage(body)
	r.message = m
	r.ev.RPC, r.ev.Tool = m.method, m.tool
	if m.batch {
		r.ev.RPC = "batch"
	}
	if refusal != "" {
		r.ev.Reason = "message"
		refuse(r.w, http.StatusBadRequest, code, m.id, refusal)
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return true
}

// pass hands a request to MCP and sees to its end.
func (s *Server) pass(r *request, id auth.Identity) {
	endless := r.Method == http.MethodGet || r.message.method == "subscriptions/listen" && r.message.count <= 1
	done, ok := s.gate.enter(id.Principal.ID, endless, max(1, r.message.calls))
	if !ok {
		s.tooMany(r, time.Second, "too many requests at once", "concurrency")
		return
	}
	defer done()
	if !endless && !s.begin() || endless && s.draining.Load() {
		r.w.Header().Set("Retry-After", "5")
		s.refuse(r, http.StatusServiceUnavailable, "the server is shutting down", "draining")
		return
	}
	ctx := context.WithValue(auth.With(r.Context(), id), messageKey{}, r.message)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.over, cancel)()
	if endless {
		defer context.AfterFunc(s.streams, cancel)()
		if !id.Expires.IsZero() { // what was opened with a token ends with it
			var end context.CancelFunc
			ctx, end = context.WithDeadline(ctx, id.Expires)
			defer end()
		}
		opened := &endlessStream{r.Request, id, cancel}
		current, closed := s.endless.add(opened, r.reviews)
		defer closed()
		if !current { // a review came between the check and here
			s.review(opened)
		}
	} else {
		defer s.running.Done()
	}
	out := newStream(r.w, r.message.id)
	defer func() {
		if p := recover(); p != nil {
			out.crashed()
			out.finish()
			panic(p) // ServeHTTP logs it
		}
		out.finish()
	}()
	if endless || r.message.calls > 0 {
		out.keepAlive()
	}
	// A copy: the SDK replaces the body, which net/http must not see.
	inner := r.WithContext(ctx)
	inner.Header = r.Header.Clone()
	inner.Header.Del("Authorization")
	r.ev.Version = Revision(inner)
	s.opts.MCP.ServeHTTP(out, inner)
}

// begin counts a request that a drain waits for, unless there is one.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining.Load() {
		return false
	}
	s.running.Add(1)
	return true
}
