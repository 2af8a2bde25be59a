package upstream

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
)

// What a server over HTTP may answer to a call, and what the caller hears. None of
// it ends anything but the call.
func TestHostileHTTP(t *testing.T) {
	rpcID := func(body []byte) string {
		var m struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(body, &m)
		return string(m.ID)
	}
	events := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	tests := map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, id string)
		want   string
	}{
		"gzip bomb": {func(w http.ResponseWriter, _ *http.Request, id string) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprintf(z, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, id)
			spaces := []byte(strings.Repeat("x", 1<<20))
			for range 200 {
				if _, err := z.Write(spaces); err != nil {
					return
				}
			}
			z.Close()
		}, "at most 4194304 are taken"},
		"gzip bomb of events": {func(w http.ResponseWriter, _ *http.Request, id string) {
			events(w)
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, "data: ")
			spaces := []byte(strings.Repeat("x", 1<<20))
			for range 200 {
				if _, err := z.Write(spaces); err != nil {
					return
				}
			}
			z.Close()
		}, ""},
		"huge header": {func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("X", strings.Repeat("x", 2<<20))
		}, "did not answer"},
		"many headers": {func(w http.ResponseWriter, _ *http.Request, _ string) {
			for i := range 20_000 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 50))
			}
		}, "did not answer"},
		"error with a long body": {func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.WriteHeader(500)
			fmt.Fprint(w, strings.Repeat("\x1b[31mno ", 1<<20))
		}, "did not answer"},
		"slow drip": {func(w http.ResponseWriter, r *http.Request, _ string) {
			w.Header().Set("Content-Type", "application/json")
			for r.Context().Err() == nil {
				fmt.Fprint(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(20 * time.Millisecond)
			}
		}, "deadline"},
		"event flood": {func(w http.ResponseWriter, r *http.Request, _ string) {
			events(w)
			for i := 0; r.Context().Err() == nil && i < 100_000; i++ {
				if _, err := fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":%d}}\n\n", i); err != nil {
					return
				}
			}
		}, ""},
		"words with escapes": {func(w http.ResponseWriter, _ *http.Request, id string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no\u001b[31m\u202e way\u0007"}}`, id)
		}, "error: no[31m way"},
		"html": {func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<h1>It works</h1>")
		}, "error"},
		"nothing":    {func(w http.ResponseWriter, _ *http.Request, _ string) {}, "error"},
		"no content": {func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusNoContent) }, "error"},
		"redirect loop": {func(w http.ResponseWriter, r *http.Request, _ string) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusTemporaryRedirect)
		}, "redirects more than 3 times"},
		"deep": {func(w http.ResponseWriter, _ *http.Request, id string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":%s1%s}}`, id, strings.Repeat("[", 9000), strings.Repeat("]", 9000))
		}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := sdkServer()
			handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
			h, web := openWeb(t, config.Server{Protocol: "legacy"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body := make([]byte, 0, 1024)
				if r.Method == http.MethodPost {
					text := make([]byte, 64<<10)
					n, _ := r.Body.Read(text)
					body = text[:n]
				}
				if strings.Contains(string(body), `"do":"attack"`) {
					tt.answer(w, r, rpcID(body))
					return
				}
				r.Body = http.NoBody
				if len(body) > 0 {
					r.Body = readCloser{strings.NewReader(string(body))}
				}
				handler.ServeHTTP(w, r)
			}))
			h.settle()
			patience := 20 * time.Second
			if name == "slow drip" {
				patience = time.Second // it would go on for ever
			}
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			res, err := h.call(ctx, "web", "echo", "attack")
			got := fmt.Sprint("error: ", err)
			if err == nil {
				got = fmt.Sprintf("%.100s", res.Structured)
			}
			if !strings.Contains(got, tt.want) || strings.ContainsAny(got, "\x1b\u202e\a") || len(got) > 2000 {
				t.Errorf("got %.300q, want %q", got, tt.want)
			}
			eventually(t, "the server can be called again", func() bool { return h.text("web", "echo") == `{"id":9007199254740993}` })
			h.Close()
			web.CloseClientConnections()
		})
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// Words of a server reach terminals and models without what would act or hide there.
func TestWordsOfServers(t *testing.T) {
	p := newPeer(New(Options{}), config.Server{Name: "s"})
	tools, warnings := p.convert([]json.RawMessage{
		json.RawMessage(`{"name":"a\u001b[2J\nb","title":"T\u0007\u202e","description":"line\nnext\u001b]0;x\u0007\u200b\u2066 \udb40\udc41end","inputSchema":{"type":"object"}}`),
		json.RawMessage(`{"name":"ok","inputSchema":{"type":"object","description":"\u202ekept byte for byte"}}`),
		json.RawMessage(`{"name":"` + strings.Repeat("x", 300) + `"}`),
		json.RawMessage(`{"name":"\u001b[31mtwice"}`), json.RawMessage(`{"name":"\u001b[31mtwice"}`),
	}, false)
	if len(tools) != 3 || tools[0].Title != "T" || tools[0].Description != "line\nnext]0;x\u200b end" {
		t.Fatalf("got %+v", tools)
	}
	if string(tools[1].InputSchema) != `{"type":"object","description":"\u202ekept byte for byte"}` {
		t.Errorf("the schema was changed: %s", tools[1].InputSchema)
	}
	c, err := catalog.New(tools)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range c.Visible(admin) {
		if strings.ContainsAny(tool.Path(), "\x1b\n") {
			t.Errorf("the path is %q", tool.Path())
		}
		if again, err := c.Find(admin, tool.Path()); err != nil || again != tool {
			t.Errorf("%q does not lead back: %v", tool.Path(), err)
		}
	}
	for _, w := range warnings {
		if strings.ContainsAny(w, "\x1b\n") {
			t.Errorf("a warning is %q", w)
		}
	}
}

// A server that wants a page opened first says so in an error.
func TestMustOpen(t *testing.T) {
	p := newPeer(New(Options{}), config.Server{Name: "s"})
	for data, want := range map[string]string{
		`{"elicitations":[{"mode":"url","url":"https://example.com/pay"}]}`:                             "a person must open https://example.com/pay first; then call again",
		`{"elicitations":[{"url":"javascript:x"},{"url":"http://evil.com"},{"url":"https://ok.com/"}]}`: "a person must open https://ok.com/ first; then call again",
		`{"elicitations":[{"url":"https://x/` + strings.Repeat("x", maxLink) + `"}]}`:                   "",
		`{}`: "", `7`: "",
	} {
		if got := p.mustOpen(json.RawMessage(data)); got != want {
			t.Errorf("%.80s: got %q", data, got)
		}
	}
}
