package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestStateBelongsToItsSession(t *testing.T) {
	m := NewMemory()
	mine, other := Key{"a", "1"}, Key{"a", "2"}
	if refused := m.Change(mine, map[string]json.RawMessage{"x": json.RawMessage("1"), "big": json.RawMessage(`"` + strings.Repeat("x", 100) + `"`)}, nil, 50); fmt.Sprint(refused) != "[big]" {
		t.Errorf("refused %v", refused)
	}
	m.Change(mine, map[string]json.RawMessage{"y": json.RawMessage("[2]")}, []string{"none"}, 50)
	if got := string(m.State(mine)); got != `{"x":1,"y":[2]}` {
		t.Error(got)
	}
	if got := string(m.State(other)); got != "{}" {
		t.Error(got)
	}
	m.Change(mine, nil, []string{"x"}, 50)
	m.End(other)
	if got := string(m.State(mine)); got != `{"y":[2]}` {
		t.Error(got)
	}
	m.End(mine)
	if got := string(m.State(mine)); got != "{}" {
		t.Error(got)
	}
}

// Two runs side by side keep each other's keys.
func TestKeysOfTwoRuns(t *testing.T) {
	m := NewMemory()
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			m.Change(Key{"a", ""}, map[string]json.RawMessage{fmt.Sprint("k", i): json.RawMessage("1")}, nil, 1<<20)
		})
	}
	wg.Wait()
	if n := strings.Count(string(m.State(Key{"a", ""})), ":1"); n != 50 {
		t.Errorf("%d keys of 50", n)
	}
}

func TestResultsAreBounded(t *testing.T) {
	m := NewMemory()
	key := Key{"a", ""}
	first := m.Keep(key, json.RawMessage(`"first"`))
	if text, ok := m.Result("a", first); !ok || string(text) != `"first"` {
		t.Errorf("%s %v", text, ok)
	}
	if _, ok := m.Result("b", first); ok {
		t.Error("another principal reads it")
	}
	for range maxResults {
		m.Keep(key, json.RawMessage("1"))
	}
	if _, ok := m.Result("a", first); ok {
		t.Error("the oldest result is still there")
	}
	if id := m.Keep(key, make(json.RawMessage, maxResultBytes+1)); id != "" {
		t.Error("a result above the bound was kept")
	}
	last := m.Keep(key, json.RawMessage(`"last"`))
	for i := range 20 {
		m.Keep(Key{"c", fmt.Sprint(i)}, make(json.RawMessage, maxResultBytes))
	}
	if m.bytes > maxAllBytes || m.bytes < maxAllBytes-maxResultBytes {
		t.Errorf("%d bytes are kept", m.bytes)
	}
	if _, ok := m.Result("a", last); !ok {
		t.Error("one principal pushed out what another keeps")
	}
}

func TestSessionsAreBounded(t *testing.T) {
	m := NewMemory()
	m.Failed(Key{"b", ""}, "f")
	for i := range maxSessions + 10 {
		m.Failed(Key{"a", fmt.Sprint(i)}, "f")
	}
	if len(m.sessions) != maxSessions {
		t.Errorf("%d sessions", len(m.sessions))
	}
	if n := m.Failed(Key{"a", fmt.Sprint(maxSessions + 9)}, "f"); n != 2 {
		t.Errorf("the newest session was forgotten: %d", n)
	}
	if n := m.Failed(Key{"a", "0"}, "f"); n != 1 {
		t.Errorf("the oldest session was kept: %d", n)
	}
	if n := m.Failed(Key{"b", ""}, "f"); n != 2 {
		t.Errorf("another principal's session was forgotten: %d", n)
	}
}
