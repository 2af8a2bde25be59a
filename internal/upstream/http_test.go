package upstream

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
)

// sdkServer is a healthy server of the SDK with one tool.
func sdkServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "web", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}}}`)},
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var args struct {
				Do string `json:"do"`
			}
			_ = json.Unmarshal(req.Params.Arguments, &args)
			switch args.Do {
			case "huge":
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("x", 20<<20)}}}, nil
			case "sleep":
				<-ctx.Done()
				return nil, ctx.Err()
			case "ask":
				res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "sure?", RequestedSchema: json.RawMessage(`{"type":"object"}`)})
				if err != nil {
					return nil, err
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: res.Action}}}, nil
			case "input":
				if r, ok := req.Params.InputResponses["q"].(*mcp.ElicitResult); ok {
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Action}}}, nil
				}
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "sure?", RequestedSchema: json.RawMessage(`{"type":"object"}`)}}}, nil
			}
			return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: json.RawMessage(`{"id":9007199254740993}`)}, nil
		})
	return s
}

// openWeb starts a manager over one server on HTTP.
func openWeb(t *testing.T, s config.Server, handler http.Handler) (*home, *httptest.Server) {
	t.Helper()
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	s.Name, s.URL = "web", web.URL
	if s.Protocol == "" {
		s.Protocol = "auto"
	}
	h := &home{t: t}
	h.Manager = New(Options{Servers: []config.Server{s}, MaxResult: 4 << 20,
		Publish: func(tools []catalog.Tool) { h.mu.Lock(); h.tools = tools; h.mu.Unlock() },
		Log:     func(_, event string, _ bool) { t.Log(event) }})
	h.Open()
	t.Cleanup(h.Close)
	return h, web
}

func TestHTTP(t *testing.T) {
	for name, opts := range map[string]*mcp.StreamableHTTPOptions{
		"2025": nil, "2025 json": {JSONResponse: true}, "2026": {Stateless: true, PropagateRequestCancellation: true},
		"2026 json": {Stateless: true, JSONResponse: true, PropagateRequestCancellation: true},
	} {
		t.Run(name, func(t *testing.T) {
			server := sdkServer()
			handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, opts)
			var versions atomic.Value
			h, _ := openWeb(t, config.Server{Headers: map[string]string{"Authorization": "Bearer s3cret!"}},
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Authorization") != "Bearer s3cret!" {
						http.Error(w, "who are you?", http.StatusUnauthorized)
						return
					}
					versions.Store(r.Header.Get("Mcp-Protocol-Version"))
					handler.ServeHTTP(w, r)
				}))
			h.settle()
			s := h.state("web")
			if s.State != stateReady || !strings.HasPrefix(s.Protocol, name[:4]) {
				t.Fatalf("got %+v", s)
			}
			if got := h.text("web", "echo"); got != `{"id":9007199254740993}` {
				t.Errorf("got %s", got)
			}
			if v := versions.Load(); v != s.Protocol {
				t.Errorf("the requests say revision %q, the session speaks %s", v, s.Protocol)
			}
			if got := h.text("web", "huge"); !strings.Contains(got, "error: ") {
				t.Errorf("got %.100s", got)
			}
			eventually(t, "the server can be called again", func() bool { return h.text("web", "echo") == `{"id":9007199254740993}` })
			ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
			defer cancel()
			if _, err := h.call(ctx, "web", "echo", "sleep"); err == nil {
				t.Error("a call outlived its context")
			}
			for _, do := range []string{"ask", "input"} {
				if got := h.text("web", do); got != "decline" && !strings.HasPrefix(got, "error: ") {
					t.Errorf("%s: got %s", do, got)
				}
			}
		})
	}
}

// A session that the server forgot is replaced by a new one.
func TestSessionLoss(t *testing.T) {
	server := sdkServer()
	var handler atomic.Pointer[mcp.StreamableHTTPHandler]
	fresh := func() {
		handler.Store(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	}
	fresh()
	h, _ := openWeb(t, config.Server{Protocol: "legacy"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.Load().ServeHTTP(w, r) }))
	h.settle()
	fresh()
	if got := h.text("web", "echo"); !strings.Contains(got, "lost the session") {
		t.Errorf("got %s", got)
	}
	eventually(t, "there is a new session", func() bool { return h.text("web", "echo") == `{"id":9007199254740993}` })
	h.Close()
	for s := range server.Sessions() { // the one that was forgotten
		s.Close()
	}
}

// Headers with credentials never reach another host.
func TestRedirect(t *testing.T) {
	var leaked atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { leaked.Store(true) }))
	defer other.Close()
	h, _ := openWeb(t, config.Server{Headers: map[string]string{"X-Key": "s3cret!"}, Secrets: []string{"s3cret!"}},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/?key="+r.Header.Get("X-Key"), http.StatusTemporaryRedirect)
		}))
	h.settle()
	s := h.state("web")
	if leaked.Load() || s.State != stateDown || !strings.Contains(s.Reason, "redirects to another host") || strings.Contains(s.Reason, "s3cret!") {
		t.Errorf("leaked %v, %+v", leaked.Load(), s)
	}
}

// A server that hangs costs nobody anything, and its end is not waited for.
func TestHangingHTTP(t *testing.T) {
	h, web := openWeb(t, config.Server{}, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else net/http does not see that the client went
		<-r.Context().Done()
	}))
	if again, why := h.Absent(timeout(t, 300*time.Millisecond), admin, "web.echo"); again || !strings.Contains(why, "still starting") {
		t.Errorf("got %v %q", again, why)
	}
	start := time.Now()
	h.Close()
	if d := time.Since(start); d > 3*time.Second {
		t.Errorf("closing took %v", d)
	}
	web.CloseClientConnections()
}

func timeout(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// A server of the SDK on stdio speaks the newest revision.
func TestModernStdio(t *testing.T) {
	h := open(t, Options{}, "sdk")
	h.settle()
	if s := h.state("sdk"); s.State != stateReady || s.Protocol != modernRevision {
		t.Fatalf("got %+v", s)
	}
	if got := h.text("sdk", "echo"); got != `{"id":9007199254740993}` {
		t.Errorf("got %s", got)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.tools, func(t catalog.Tool) bool { return t.Server == "sdk" })
	if string(h.tools[i].InputSchema) != `{"type":"object","properties":{"z":{},"a":{}}}` {
		t.Errorf("the schema changed: %s", h.tools[i].InputSchema)
	}
}

// A server that is disabled loses the connections of each principal too, at once and not
// after their ten idle minutes.
func TestDisabledPersonalConnections(t *testing.T) {
	server := sdkServer()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	var opened, ended atomic.Int64
	cfg := config.Server{Protocol: "legacy", PerPrincipal: true, Key: "web"}
	h, web := openWeb(t, cfg, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodDelete:
			ended.Add(1)
		case r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "":
			opened.Add(1)
		}
		handler.ServeHTTP(w, r)
	}))
	h.settle()
	for _, who := range []string{"ada", "bea"} {
		ctx := catalog.WithPrincipal(context.Background(), who)
		if _, err := h.call(ctx, "web", "echo", ""); err != nil {
			t.Fatal(err)
		}
	}
	if n := opened.Load(); n < 3 {
		t.Fatalf("%d connections, want one to list and one for each of two principals", n)
	}
	cfg.Name, cfg.URL, cfg.Disabled = "web", web.URL, true
	if waits := h.Reload([]config.Server{cfg}); len(waits) > 0 {
		t.Errorf("the reload waits: %v", waits)
	}
	eventually(t, "all three connections have ended", func() bool { return ended.Load() == 3 })
}
