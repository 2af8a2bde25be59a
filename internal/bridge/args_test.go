package bridge

import (
	"encoding/json"
	"strings"
	"testing"

	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/sandbox/wire"
)

// The arguments of calls in flight are bounded for one run and for all runs; one
// call alone has room.
func TestArgumentsAreBounded(t *testing.T) {
	b := &Bridge{}
	hold := func(r *run, size int) string {
		if e := r.refuseLocked(limits.Granted, "a.b", size); e != nil {
			return e.Message
		}
		r.argBytes += size
		b.argBytes.Add(int64(size))
		return ""
	}
	const half = 16 << 20
	one, two, three := &run{b: b}, &run{b: b}, &run{b: b}
	for _, r := range []*run{one, one, two, two} {
		if why := hold(r, half); why != "" {
			t.Fatal(why)
		}
	}
	if why := hold(one, 1<<20); !strings.Contains(why, "the calls in flight hold 32 MB") {
		t.Errorf("above a run's: %q", why)
	}
	if why := hold(three, half); why != "" {
		t.Errorf("one alone: %q", why)
	}
	if why := hold(three, 1<<10); !strings.Contains(why, "of all runs hold 80 MB") {
		t.Errorf("above all: %q", why)
	}
	one.letGo(half)
	one.letGo(half)
	if why := hold(three, 1<<10); why != "" {
		t.Errorf("once there is room: %q", why)
	}
}

// A question of any length costs the host nothing: the prelude's bound is not the
// host's.
func TestQuestionsAreBounded(t *testing.T) {
	r := &run{b: &Bridge{}} // it has no catalog: a question that gets through fails
	body := json.RawMessage(`"` + strings.Repeat("a.", 3_000_000) + `"`)
	for _, verb := range []string{wire.AskSearch, wire.AskDescribe} {
		got := make(chan string, 1)
		r.Ask(verb, body, func(_ bool, answer json.RawMessage) { got <- string(answer) })
		if answer := <-got; !strings.Contains(answer, "too long") {
			t.Errorf("%s: %.100s", verb, answer)
		}
	}
}
