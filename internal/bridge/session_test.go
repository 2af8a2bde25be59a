package bridge

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/sandbox"
	"codemode-mcp/internal/sandbox/wire"
)

// Without a session of the transport, state lasts under the handle that the
// envelope returns, for the principal that it was returned to.
func TestSessionHandles(t *testing.T) {
	seen := ""
	b := fixture(t, func(_ context.Context, h sandbox.Handler) sandbox.Outcome {
		answered := make(chan struct{})
		h.Ask(wire.AskState, nil, func(_ bool, body json.RawMessage) { seen = string(body); close(answered) })
		<-answered
		out := sandbox.Outcome{Result: json.RawMessage("1")}
		out.State.Set = map[string]json.RawMessage{"x": json.RawMessage("1")}
		return out
	}, defaults(t), nil)
	run := func(principal, handle string, handles bool) *Envelope {
		seen = ""
		return b.Run(context.Background(), Request{Principal: policy.Principal{ID: principal}, Script: "x", Handles: handles, Handle: handle})
	}
	first := run("a", "", true)
	if first.Session == "" || seen != "{}" {
		t.Fatalf("session %q, state %s", first.Session, seen)
	}
	if again := run("a", first.Session, true); again.Session != first.Session || seen != `{"x":1}` {
		t.Errorf("session %q, state %s", again.Session, seen)
	}
	if other := run("a", "", true); other.Session == first.Session || seen != "{}" {
		t.Errorf("a new session sees %s", seen)
	}
	foreign, wrong := run("b", first.Session, true), run("b", "session-NONE", true)
	for _, env := range []*Envelope{foreign, wrong} {
		if env.Kind != InvalidArguments || env.Session != "" || seen != "" || env.Hint == "" {
			t.Errorf("%+v", env)
		}
	}
	if strings.ReplaceAll(foreign.Message, first.Session, "") != strings.ReplaceAll(wrong.Message, "session-NONE", "") {
		t.Errorf("the messages tell a foreign handle: %q, %q", foreign.Message, wrong.Message)
	}
	if env := run("a", "", false); env.Session != "" || seen != "{}" {
		t.Errorf("a transport with sessions: session %q, state %s", env.Session, seen)
	}
}
