package session

import (
	"encoding/json"
	"testing"
	"time"
)

func newTestHandles(life time.Duration) (*Handles, *Memory, *time.Time) {
	m, now := NewMemory(), time.Unix(1e9, 0)
	h := NewHandles(m, life)
	h.now = func() time.Time { return now }
	return h, m, &now
}

func TestHandleBelongsToItsPrincipal(t *testing.T) {
	h, _, _ := newTestHandles(time.Hour)
	a := h.Mint("a")
	if len(a.Session) < len(handlePrefix)+26 || h.Mint("a") == a {
		t.Errorf("%q can be guessed", a.Session)
	}
	if key, ok := h.Open("a", a.Session); !ok || key != a {
		t.Errorf("got %v %v", key, ok)
	}
	for _, name := range []string{a.Session, "", "session-", "x", a.Session + "A"} {
		if _, ok := h.Open("b", name); ok {
			t.Errorf("another principal opened %q", name)
		}
	}
}

func TestHandleExpiresWithWhatIsKept(t *testing.T) {
	h, m, now := newTestHandles(time.Hour)
	old, used := h.Mint("a"), h.Mint("a")
	for _, key := range []Key{old, used} {
		m.Change(key, map[string]json.RawMessage{"x": json.RawMessage("1")}, nil, 100)
	}
	*now = now.Add(40 * time.Minute)
	if _, ok := h.Open("a", used.Session); !ok {
		t.Fatal("a handle expired early")
	}
	*now = now.Add(40 * time.Minute)
	if _, ok := h.Open("a", used.Session); !ok {
		t.Error("a handle that was used expired")
	}
	if _, ok := h.Open("a", old.Session); ok {
		t.Error("a handle outlived its time")
	}
	if got := string(m.State(old)); got != "{}" {
		t.Errorf("the state of an expired handle is still there: %s", got)
	}
}

func TestHandlesAreBounded(t *testing.T) {
	h, _, _ := newTestHandles(time.Hour)
	mine, first := h.Mint("mine"), h.Mint("a")
	for range maxHandles {
		h.Mint("a")
	}
	if _, ok := h.Open("a", first.Session); ok || h.count["a"] != maxHandles {
		t.Errorf("%d handles of one principal", h.count["a"])
	}
	if _, ok := h.Open("mine", mine.Session); !ok {
		t.Error("one principal took another's handle away")
	}
	for i := range maxAllHandles {
		h.Mint(string(rune('A' + i%26)))
	}
	if h.order.Len() > maxAllHandles || len(h.byKey) != h.order.Len() {
		t.Errorf("%d handles in all, %d listed", h.order.Len(), len(h.byKey))
	}
}
