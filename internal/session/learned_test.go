package session

import (
	"encoding/json"
	"fmt"
	"testing"

	"codemode-mcp/internal/shape"
)

func TestLearned(t *testing.T) {
	m := NewMemory()
	mine, other := Key{Principal: "a", Session: "1"}, Key{Principal: "a", Session: "2"}
	learn := func(text string) { m.Learn(mine, "s.t", shape.Of(json.RawMessage(text))) }
	learn(`{"n": 1}`)
	learn(`{"n": null, "m": "secret"}`)
	if got, want := m.Learned(mine, "s.t"), "{ m?: string; n: number | null }"; got != want {
		t.Errorf("learned %s, want %s", got, want)
	}
	for _, key := range []Key{other, {Principal: "b", Session: "1"}} {
		if got := m.Learned(key, "s.t"); got != "" {
			t.Errorf("%v sees %s", key, got)
		}
	}
	m.Learn(mine, "s.none", nil)
	for i := range maxLearned + 10 {
		m.Learn(mine, fmt.Sprint(i), shape.Of(json.RawMessage(`1`)))
	}
	if n := len(m.sessions[mine].learned); n != maxLearned {
		t.Errorf("%d tools are learned", n)
	}
	m.End(mine)
	if got := m.Learned(mine, "s.t"); got != "" {
		t.Errorf("an ended session still knows %s", got)
	}
}
