package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
)

// An old HTTP server says on its stream that its list changed, and asks there.
func TestOldStream(t *testing.T) {
	for name, opts := range map[string]*mcp.StreamableHTTPOptions{"events": nil, "json": {JSONResponse: true}} {
		t.Run(name, func(t *testing.T) {
			server := sdkServer()
			h, _ := openWeb(t, config.Server{Protocol: "legacy"}, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, opts))
			h.settle()
			server.AddTool(&mcp.Tool{Name: "more", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
			eventually(t, "the new tool is there", func() bool { return slices.Contains(h.names("web"), "more") })
			ctx := catalog.WithAsker(context.Background(), catalog.Asker{Principal: "p", Ask: func(context.Context, catalog.Question) (json.RawMessage, error) {
				return json.RawMessage(`{"action":"accept"}`), nil
			}})
			if name == "events" {
				return // there a question comes with the answer of its call
			}
			// In JSON mode a server of the SDK asks on the stream only, outside of the call.
			done := make(chan string, 1)
			server.AddTool(&mcp.Tool{Name: "aside", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				res, err := req.Session.Elicit(context.Background(), &mcp.ElicitParams{Message: "sure?", RequestedSchema: json.RawMessage(`{"type":"object"}`)})
				if err != nil {
					return nil, err
				}
				done <- res.Action
				return &mcp.CallToolResult{}, nil
			})
			eventually(t, "the third tool is there", func() bool { return slices.Contains(h.names("web"), "aside") })
			if _, err := h.call(ctx, "web", "aside", ""); err != nil {
				t.Fatal(err)
			}
			if got := <-done; got != "accept" {
				t.Errorf("got %s", got)
			}
		})
	}
}

// A server that asks on its stream only is not called before somebody listens there, and
// a stream that ends is opened again when the server says.
func TestStreamIsOpenFirst(t *testing.T) {
	server := sdkServer()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	var opened atomic.Int64
	var early atomic.Bool
	h, _ := openWeb(t, config.Server{Protocol: "legacy"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			time.Sleep(openWithin / 4)
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "retry: 60\n\n")
			opened.Add(1)
			return
		}
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "tools/call") && opened.Load() == 0 {
			early.Store(true)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	h.settle()
	if got := h.text("web", "echo"); got != `{"id":9007199254740993}` {
		t.Errorf("got %s", got)
	}
	if early.Load() {
		t.Error("the call came before the stream was open")
	}
	// With pauses of its own, from a second on and doubled each time, it would take minutes.
	eventually(t, "the stream is opened often", func() bool { return opened.Load() >= 8 })
}

// Streams that misbehave disturb no call, and are not hammered.
func TestBadStreams(t *testing.T) {
	for name, get := range map[string]http.HandlerFunc{
		"none":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) },
		"hangs":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"ends":     func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") },
		"breaks":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"flood":    flood("data: " + strings.Repeat("x", 64<<10) + "\n"),
		"one line": flood(strings.Repeat("x", 64<<10)),
		"comments": flood(": nothing\n\n"),
		"garbage":  flood("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\nevent: \x1b[31m\ndata: {nope\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			server := sdkServer()
			handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
			var opened atomic.Int64
			h, _ := openWeb(t, config.Server{Protocol: "legacy"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					opened.Add(1)
					get(w, r)
					return
				}
				handler.ServeHTTP(w, r)
			}))
			h.settle()
			eventually(t, "the stream was asked for", func() bool { return opened.Load() > 0 })
			for range 3 {
				if got := h.text("web", "echo"); got != `{"id":9007199254740993}` {
					t.Errorf("got %s", got)
				}
			}
			if n := opened.Load(); n > 3 {
				t.Errorf("the stream was opened %d times", n)
			}
		})
	}
}

// flood writes the same for as long as somebody listens, up to a bound of the test.
func flood(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 1000 {
			if _, err := fmt.Fprint(w, text); err != nil || r.Context().Err() != nil {
				return
			}
		}
	}
}

func FuzzEvents(f *testing.F) {
	f.Add("data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n")
	f.Add("id: 1\r\ndata:a\r\ndata: b\r\n\r\n: c\n\n")
	f.Add("data\n\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		n, last := 0, ""
		s := &stream{max: 1000, deliver: func(jsonrpc.Message) { n++ }}
		if err := s.events(strings.NewReader(text), &last); err == nil {
			t.Error("a stream that ended is no end")
		}
		if n > strings.Count(text, "data") || len(last) > maxEdge {
			t.Errorf("%d messages, last %q", n, last)
		}
	})
}

// What was read last is where the stream goes on.
func TestStreamGoesOn(t *testing.T) {
	last, got := "", 0
	s := &stream{max: 100, deliver: func(jsonrpc.Message) { got++ }}
	_ = s.events(strings.NewReader("id: 7\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"x\"}\n\nid: 8\ndata: half"), &last)
	if got != 1 || last != "7" {
		t.Errorf("%d messages, last %q", got, last)
	}
	if err := s.events(strings.NewReader(strings.Repeat("data: xxxxxxxxxx\n", 50)), &last); err != errLongEvent {
		t.Errorf("got %v", err)
	}
	if err := s.events(strings.NewReader(strings.Repeat("data:\n", 200)), &last); err != errLongEvent {
		t.Errorf("empty lines cost nothing: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s.url, s.client = "http://127.0.0.1:1/", http.DefaultClient
	if !s.follow(ctx, &last, func() {}) {
		t.Error("a server that can't be reached is not tried again")
	}
}
