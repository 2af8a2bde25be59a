package bridge

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/dispatch"
	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/sandbox"
	"codemode-mcp/internal/sandbox/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// runner plays a script: it uses the handler as a worker would.
type runner func(ctx context.Context, h sandbox.Handler) sandbox.Outcome

func (r runner) Run(ctx context.Context, _ string, _ sandbox.Job, h sandbox.Handler) sandbox.Outcome {
	return r(ctx, h)
}

// calls makes n calls at once and waits for every answer.
func calls(h sandbox.Handler, n int, path string) (answers []string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		h.Call(false, path, json.RawMessage("{}"), func(ok bool, body json.RawMessage) {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, string(body))
		})
	}
	wg.Wait()
	return answers
}

func fixture(t *testing.T, r runner, l limits.Limits, tool func(context.Context) (*catalog.Result, error)) *Bridge {
	t.Helper()
	c, err := catalog.New([]catalog.Tool{{Server: "s", Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`),
		Invoke: func(ctx context.Context, _ json.RawMessage) (*catalog.Result, error) { return tool(ctx) }}})
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{Runner: r, Dispatch: dispatch.New(c, nil), Limits: l})
}

func defaults(t *testing.T) limits.Limits {
	t.Helper()
	l, err := limits.Load()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// No more calls are in flight than the limit allows, and as many as it allows are.
func TestParallelCalls(t *testing.T) {
	l := defaults(t)
	l.MaxParallelCalls = 3
	var now, most atomic.Int64
	b := fixture(t, func(_ context.Context, h sandbox.Handler) sandbox.Outcome {
		if got := calls(h, 20, "s.t"); len(got) != 20 {
			t.Errorf("%d answers", len(got))
		}
		return sandbox.Outcome{Result: json.RawMessage("1")}
	}, l, func(context.Context) (*catalog.Result, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		time.Sleep(5 * time.Millisecond)
		return nil, nil
	})
	env := b.Run(context.Background(), Request{Script: "x"})
	if most.Load() != 3 {
		t.Errorf("%d calls were in flight at once, want 3", most.Load())
	}
	if env.ToolCallsCount != 20 {
		t.Errorf("%d calls counted", env.ToolCallsCount)
	}
}

// Whatever the guest says of an end, the host's own knowledge decides.
func TestEnds(t *testing.T) {
	for _, tt := range []struct {
		out  sandbox.Outcome
		kind Kind
		want string
	}{
		{sandbox.Outcome{End: sandbox.TimedOut}, Timeout, "longer than 30 seconds"},
		{sandbox.Outcome{End: sandbox.OutOfMemory}, MemoryLimit, "more than 64 MB"},
		{sandbox.Outcome{End: sandbox.Cancelled}, Cancelled, "cancelled by the client"},
		{sandbox.Outcome{End: sandbox.Busy}, Busy, "no worker came free"},
		{sandbox.Outcome{End: sandbox.Unavailable, Detail: "secret"}, SandboxCrashed, "can't be started"},
		{sandbox.Outcome{End: sandbox.Crashed, Detail: "secret"}, SandboxCrashed, "ended unexpectedly"},
		{sandbox.Outcome{End: sandbox.Threw, Failure: wire.Failure{Kind: "exception", Message: "Error: x"}}, Exception, "Error: x"},
		{sandbox.Outcome{End: sandbox.Threw, Failure: wire.Failure{Kind: "exception"}}, Exception, "without a message"},
	} {
		b := fixture(t, func(context.Context, sandbox.Handler) sandbox.Outcome { return tt.out }, defaults(t), nil)
		env := b.Run(context.Background(), Request{Script: "x"})
		text, err := json.Marshal(env)
		if err != nil {
			t.Fatal(err)
		}
		if env.Kind != tt.kind || !strings.Contains(env.Message, tt.want) || strings.Contains(string(text), "secret") {
			t.Errorf("%+v: %s", tt.out, text)
		}
	}
}

// Calls that are in flight when the run ends are cancelled and named, and what
// comes after the end does not count.
func TestCallsEndWithTheRun(t *testing.T) {
	started, cancelled := make(chan struct{}), make(chan struct{})
	var late sandbox.Handler
	b := fixture(t, func(_ context.Context, h sandbox.Handler) sandbox.Outcome {
		h.Call(false, "s.t", json.RawMessage("{}"), func(bool, json.RawMessage) {})
		late = h
		<-started
		return sandbox.Outcome{End: sandbox.TimedOut}
	}, defaults(t), func(ctx context.Context) (*catalog.Result, error) {
		close(started)
		<-ctx.Done()
		close(cancelled)
		return nil, ctx.Err()
	})
	env := b.Run(context.Background(), Request{Script: "x", Principal: policy.Principal{ID: "p"}})
	select {
	case <-cancelled:
	case <-time.After(10 * time.Second):
		t.Fatal("the call was not cancelled")
	}
	if len(env.Warnings) != 1 || !strings.Contains(env.Warnings[0], "s.t") {
		t.Errorf("warnings: %q", env.Warnings)
	}
	late.Call(false, "s.t", json.RawMessage("{}"), func(bool, json.RawMessage) { t.Error("a late call was answered") })
	late.Log("log", "late")
	if len(env.Logs) != 0 {
		t.Errorf("a late line: %q", env.Logs)
	}
}
