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
	if m.bytes != m.sessions[mine].learnedBytes || m.forms["a"] != m.bytes {
		t.Errorf("%d bytes are counted, %d for a", m.bytes, m.forms["a"])
	}
	m.End(mine)
	if m.bytes != 0 || len(m.forms) != 0 {
		t.Errorf("%d bytes are left", m.bytes)
	}
	if got := m.Learned(mine, "s.t"); got != "" {
		t.Errorf("an ended session still knows %s", got)
	}
}

// Forms are bounded for a principal, whatever the number of its sessions, and are part
// of the bound of all.
func TestFormsAreBounded(t *testing.T) {
	m := NewMemory()
	form := func(n int) *shape.Shape {
		text := "{"
		for i := range 30 {
			text += fmt.Sprintf(`"field_of_result_%d_%d": 1,`, n, i)
		}
		return shape.Of(json.RawMessage(text + `"z": 1}`))
	}
	kept := Key{Principal: "b", Session: "1"}
	m.Learn(kept, "s.t", form(0))
	for session := range 40 {
		for tool := range 60 {
			m.Learn(Key{Principal: "a", Session: fmt.Sprint(session)}, fmt.Sprint(tool), form(tool))
		}
	}
	sum := 0
	for _, e := range m.sessions {
		own := 0
		for _, f := range e.learned {
			own += f.bytes
		}
		if own != e.learnedBytes {
			t.Errorf("%d bytes are counted of %d", e.learnedBytes, own)
		}
		sum += own
	}
	if m.forms["a"] > maxForms || m.forms["a"] < maxForms/2 || m.bytes != sum {
		t.Errorf("%d bytes of forms, %d of %d counted", m.forms["a"], m.bytes, sum)
	}
	if m.Learned(kept, "s.t") == "" || m.Learned(Key{Principal: "a", Session: "39"}, "59") == "" {
		t.Error("the wrong forms went")
	}
}

// Results that teach nothing are looked at less and less; what does is seen in the end.
func TestWants(t *testing.T) {
	m, key, looked := NewMemory(), Key{Principal: "a"}, 0
	see := func(text string) {
		if m.Wants(key, "t") {
			looked++
			m.Learn(key, "t", shape.Of(json.RawMessage(text)))
		}
	}
	for range 1000 {
		see(`{"a": 1}`)
	}
	if looked > 15 || looked < quietResults {
		t.Errorf("%d results were looked at", looked)
	}
	for range 1100 {
		see(`{"a": null}`)
	}
	if got := m.Learned(key, "t"); got != "{ a: number | null }" {
		t.Errorf("learned %s", got)
	}
}
