package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// person answers questions, and notes them.
type person struct {
	manual bool          // goes round by hand
	pause  time.Duration // before an answer

	mu    sync.Mutex
	heard []string
}

func (p *person) hear(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = append(p.heard, text)
}

func (p *person) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.heard) == 0 {
		return ""
	}
	return p.heard[len(p.heard)-1]
}

// client is a client of the SDK with this person, and with a model if it samples.
func (p *person) client(t *testing.T, cmd *exec.Cmd, revision string, elicits, samples bool) *mcp.ClientSession {
	t.Helper()
	return p.connect(t, &mcp.CommandTransport{Command: cmd}, revision, elicits, samples)
}

func (p *person) connect(t *testing.T, over mcp.Transport, revision string, elicits, samples bool) *mcp.ClientSession {
	t.Helper()
	opts := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	opts.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: p.manual}
	if elicits {
		opts.Capabilities.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
		opts.ElicitationHandler = func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			p.hear(req.Params.Message + req.Params.URL)
			time.Sleep(p.pause)
			if req.Params.URL != "" {
				return &mcp.ElicitResult{Action: "accept"}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		}
	}
	if samples {
		opts.Capabilities.Sampling = &mcp.SamplingCapabilities{}
		opts.CreateMessageHandler = func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Model: "m1", Role: "assistant", Content: &mcp.TextContent{Text: "ho"}}, nil
		}
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "person", Version: "1"}, opts)
	s, err := c.Connect(t.Context(), over, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// asksServer is the command of our server over the one that asks.
func asksServer(t *testing.T, entry map[string]any, log io.Writer) *exec.Cmd {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.json")
	text, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{"asks": entry}})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "serve", "--config", file)
	cmd.Env = append(os.Environ(), "CODE_MODE_CACHE_DIR="+filepath.Join(dir, "cache"))
	cmd.Stderr = log
	return cmd
}

// ask calls the tool directly, or from a script.
func ask(t *testing.T, s *mcp.ClientSession, script bool, args map[string]any) string {
	t.Helper()
	params := &mcp.CallToolParams{Name: "asks__ask", Arguments: args}
	if script {
		params = &mcp.CallToolParams{Name: "execute_script", Arguments: map[string]any{"script": "return await tools.asks.ask(args)", "arguments": args}}
	}
	res, err := s.CallTool(t.Context(), params)
	if err != nil {
		return "error: " + err.Error()
	}
	text := res.Content[0].(*mcp.TextContent).Text
	if script {
		var env envelope
		if json.Unmarshal([]byte(text), &env) != nil || env.Error != "" {
			return "error: " + text
		}
		json.Unmarshal(env.Result, &text)
	}
	return text
}

// A question of a server reaches the person behind our client, in every pair of
// revisions, from a direct call and from a script.
func TestQuestionsOfServers(t *testing.T) {
	for _, ours := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, theirs := range []string{"legacy", "modern"} {
			t.Run(ours+" over "+theirs, func(t *testing.T) {
				p := &person{}
				s := p.client(t, asksServer(t, with(upstreams{}.entry("asks"), "protocol", theirs), testWriter{t}), ours, true, true)
				for _, script := range []bool{false, true} {
					if got := ask(t, s, script, map[string]any{"message": "who\x1b[31m\u202e are you?"}); got != "accept Ada" {
						t.Errorf("script %v: got %s", script, got)
					}
					if got := p.last(); got != "The MCP server asks asks: who[31m are you?" {
						t.Errorf("the person reads %q", got)
					}
					if got := ask(t, s, script, map[string]any{"message": "again?", "times": 3}); got != "accept Ada; accept Ada; accept Ada" {
						t.Errorf("script %v, three times: got %s", script, got)
					}
					if got := ask(t, s, script, map[string]any{"kind": "url", "message": "https://example.com/pay?x=1"}); got != "accept <nil>" {
						t.Errorf("script %v, a link: got %s", script, got)
					}
					if got := p.last(); got != "The MCP server asks asks you to open example.com: pleasehttps://example.com/pay?x=1" {
						t.Errorf("the person reads %q", got)
					}
					for _, link := range []string{"javascript:alert(1)", "file:///etc/passwd", "http://example.com/", "https://example.com/\u202e"} {
						if got := ask(t, s, script, map[string]any{"kind": "url", "message": link}); !strings.HasPrefix(got, "decline") {
							t.Errorf("script %v, %s: got %s", script, link, got)
						}
					}
					if got := ask(t, s, script, map[string]any{"message": strings.Repeat("x", 100<<10)}); got != "accept Ada" || len(p.last()) > 5000 {
						t.Errorf("script %v, a long question: got %s, the person reads %d bytes", script, got, len(p.last()))
					}
					if got := ask(t, s, script, map[string]any{"kind": "model"}); !strings.Contains(got, "does not support") {
						t.Errorf("script %v: the model was asked without leave: %s", script, got)
					}
				}
			})
		}
	}
}

// A script whose calls ask side by side has all of them answered.
func TestQuestionsSideBySide(t *testing.T) {
	for _, ours := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(ours, func(t *testing.T) {
			p := &person{}
			s := p.client(t, asksServer(t, with(upstreams{}.entry("asks"), "protocol", "modern"), testWriter{t}), ours, true, false)
			res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "execute_script", Arguments: map[string]any{
				"script": `return await Promise.all([1, 2, 3].map((n) => tools.asks.ask({message: "n" + n})))`}})
			if err != nil || !strings.Contains(fmt.Sprint(res.Content[0].(*mcp.TextContent).Text), `["accept Ada","accept Ada","accept Ada"]`) {
				t.Errorf("got %+v, %v", res, err)
			}
		})
	}
}

func TestSampling(t *testing.T) {
	for _, ours := range []string{"2025-11-25", "2026-07-28"} {
		for _, theirs := range []string{"legacy", "modern"} {
			t.Run(ours+" over "+theirs, func(t *testing.T) {
				p := &person{}
				s := p.client(t, asksServer(t, with(upstreams{}.entry("asks"), "protocol", theirs, "sampling", true), testWriter{t}), ours, true, true)
				if got := ask(t, s, true, map[string]any{"kind": "model"}); got != "model m1" {
					t.Errorf("got %s", got)
				}
			})
		}
	}
}

// A client that can't be asked is not, and the server hears no.
func TestQuestionsNobodyAnswers(t *testing.T) {
	for _, ours := range []string{"2025-11-25", "2026-07-28"} {
		for _, theirs := range []string{"legacy", "modern"} {
			t.Run(ours+" over "+theirs, func(t *testing.T) {
				p := &person{}
				s := p.client(t, asksServer(t, with(upstreams{}.entry("asks"), "protocol", theirs), testWriter{t}), ours, false, false)
				for _, script := range []bool{false, true} {
					if got := ask(t, s, script, map[string]any{"message": "who?"}); got != "decline <nil>" {
						t.Errorf("got %s", got)
					}
				}
			})
		}
	}
}

// A person who thinks for longer than a run may last is waited for.
func TestQuestionsTakeTime(t *testing.T) {
	for _, ours := range []string{"2025-11-25", "2026-07-28"} {
		for _, theirs := range []string{"legacy", "modern"} {
			t.Run(ours+" over "+theirs, func(t *testing.T) {
				p := &person{pause: 2500 * time.Millisecond}
				cmd := asksServer(t, with(upstreams{}.entry("asks"), "protocol", theirs), testWriter{t})
				cmd.Env = append(cmd.Env, "CODE_MODE_TIMEOUT_SECONDS=1", "CODE_MODE_CALL_TIMEOUT_SECONDS=1")
				s := p.client(t, cmd, ours, true, false)
				for _, script := range []bool{false, true} {
					if got := ask(t, s, script, map[string]any{"message": "who?"}); got != "accept Ada" {
						t.Errorf("script %v: got %s", script, got)
					}
				}
			})
		}
	}
}

// The state of a parked call is good once, and for this call alone.
func TestParkedState(t *testing.T) {
	p := &person{manual: true}
	s := p.client(t, asksServer(t, with(upstreams{}.entry("asks"), "protocol", "modern"), testWriter{t}), "2026-07-28", true, false)
	call := func(args map[string]any, state string, answers mcp.InputResponseMap) (*mcp.CallToolResult, error) {
		return s.CallTool(t.Context(), &mcp.CallToolParams{Name: "asks__ask", Arguments: args, RequestState: state, InputResponses: answers})
	}
	args := map[string]any{"message": "who?"}
	first, err := call(args, "", nil)
	if err != nil || !first.NeedsInput() || len(first.InputRequests) != 1 || len(first.RequestState) < 20 {
		t.Fatalf("got %+v, %v", first, err)
	}
	answers := mcp.InputResponseMap{}
	for id := range first.InputRequests {
		answers[id] = &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Eve"}}
	}
	for name, try := range map[string]func() (*mcp.CallToolResult, error){
		"other arguments": func() (*mcp.CallToolResult, error) {
			return call(map[string]any{"message": "other"}, first.RequestState, answers)
		},
		"a made-up state": func() (*mcp.CallToolResult, error) { return call(args, "AAAAAAAAAAAAAAAAAAAAAAAAAA", answers) },
		"another tool": func() (*mcp.CallToolResult, error) {
			return s.CallTool(t.Context(), &mcp.CallToolParams{Name: "execute_script", Arguments: args, RequestState: first.RequestState, InputResponses: answers})
		},
	} {
		if res, err := try(); err == nil || !strings.Contains(err.Error(), "requestState is unknown") {
			t.Errorf("%s: got %+v, %v", name, res, err)
		}
	}
	// Without an answer it is asked again, under a new state.
	again, err := call(args, first.RequestState, nil)
	if err != nil || !again.NeedsInput() || again.RequestState == first.RequestState {
		t.Fatalf("got %+v, %v", again, err)
	}
	if res, err := call(args, first.RequestState, answers); err == nil {
		t.Errorf("a state was good twice: %+v", res)
	}
	// An answer of another kind is none.
	wrong := mcp.InputResponseMap{}
	for id := range again.InputRequests {
		wrong[id] = &mcp.ListRootsResult{Roots: []*mcp.Root{}}
	}
	third, err := call(args, again.RequestState, wrong)
	if err != nil || !third.NeedsInput() {
		t.Fatalf("got %+v, %v", third, err)
	}
	last, err := call(args, third.RequestState, answers)
	if err != nil || last.NeedsInput() || last.Content[0].(*mcp.TextContent).Text != "accept Eve" {
		t.Errorf("got %+v, %v", last, err)
	}
	// Nobody may leave more of them behind than a few: the next is declined.
	for i := range 20 {
		res, err := call(map[string]any{"message": fmt.Sprint(i)}, "", nil)
		if err != nil || res.NeedsInput() != (i < 16) {
			t.Fatalf("call %d: got %+v, %v", i, res, err)
		}
	}
}
