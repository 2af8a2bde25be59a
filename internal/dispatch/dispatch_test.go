package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func fixture(t *testing.T, opts *Options) *Dispatcher {
	t.Helper()
	in := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`)
	c, err := catalog.New([]catalog.Tool{
		{Server: "s", Name: "echo", InputSchema: in, Invoke: func(_ context.Context, a json.RawMessage) (*catalog.Result, error) {
			return &catalog.Result{Structured: a}, nil
		}},
		{Server: "s", Name: "wipe", InputSchema: in, Role: policy.Admin},
		{Server: "s", Name: "fail", InputSchema: json.RawMessage(`{"type":"object"}`), Invoke: func(context.Context, json.RawMessage) (*catalog.Result, error) {
			return nil, errors.New("disk on fire")
		}},
		{Server: "s", Name: "panic", InputSchema: json.RawMessage(`{"type":"object"}`), Invoke: func(context.Context, json.RawMessage) (*catalog.Result, error) {
			panic("secret detail")
		}},
		{Server: "s", Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`), Invoke: func(ctx context.Context, _ json.RawMessage) (*catalog.Result, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}},
		{Server: "s", Name: "big", InputSchema: json.RawMessage(`{"type":"object"}`), Invoke: func(context.Context, json.RawMessage) (*catalog.Result, error) {
			return &catalog.Result{Content: []catalog.Content{catalog.Text(strings.Repeat("x", 2000))}}, nil
		}},
		{Server: "s", Name: "odd", InputSchema: json.RawMessage(`{"$ref":"https://example.com/x"}`), Invoke: func(_ context.Context, a json.RawMessage) (*catalog.Result, error) {
			return &catalog.Result{Structured: a}, nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return New(c, opts)
}

func TestCall(t *testing.T) {
	var mu sync.Mutex
	var events []Event
	d := fixture(t, &Options{Bounds: Bounds{Timeout: 50 * time.Millisecond, MaxArgs: 100, MaxResult: 1000}, Record: func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, e)
	}})
	viewer := policy.Principal{ID: "v", Role: policy.Viewer}
	tests := []struct {
		tool, args string
		kind       Kind
		want       string
	}{
		{"echo", `{"path":"a"}`, "", `{"path":"a"}`},
		{"s__echo", `{"path":"a"}`, "", `{"path":"a"}`},
		{"ecoh", `{}`, UnknownTool, `no tool is named "ecoh": did you mean s.echo?`},
		{"echo", ``, InvalidArguments, `s.echo: missing "path" (string)`},
		{"echo", `{"pth":"a"}`, InvalidArguments, `unknown "pth" (did you mean "path"?)`},
		{"echo", `[1]`, InvalidArguments, `arguments must be an object`},
		{"echo", `null`, InvalidArguments, `arguments must be an object`},
		{"echo", `{"path":"` + strings.Repeat("x", 100) + `"}`, InvalidArguments, "at most 100"},
		{"wipe", `{"path":"a"}`, Forbidden, "s.wipe: needs the role admin, and this session has viewer"},
		{"fail", `{}`, Failed, "s.fail: disk on fire"},
		{"panic", `{}`, Failed, "the tool failed inside"},
		{"wait", `{}`, Timeout, "no answer within 50ms"},
		{"big", `{}`, TooLarge, "2000 bytes, at most 1000"},
		{"odd", `{"any":1}`, "", `{"any":1}`}, // an unusable schema leaves the tool callable
	}
	for _, tt := range tests {
		res, err := d.Call(context.Background(), Call{Principal: viewer, Tool: tt.tool, Args: json.RawMessage(tt.args)})
		var e *Error
		switch {
		case tt.kind == "" && (err != nil || string(res.Structured) != tt.want):
			t.Errorf("%s(%s): %v, want %s", tt.tool, tt.args, err, tt.want)
		case tt.kind != "" && (!errors.As(err, &e) || e.Kind != tt.kind || !strings.Contains(e.Error(), tt.want)):
			t.Errorf("%s(%.40s): got %v, want %s: %s", tt.tool, tt.args, err, tt.kind, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s leaks what it panicked with: %v", tt.tool, err)
		}
	}
	if len(events) != len(tests) {
		t.Errorf("%d calls left %d events", len(tests), len(events))
	}
}

func TestCancel(t *testing.T) {
	d := fixture(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err := d.Call(ctx, Call{Tool: "wait"})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Cancelled {
		t.Errorf("got %v, want cancelled", err)
	}
}
