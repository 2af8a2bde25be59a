package bridge

import (
	"strings"
	"testing"

	"codemode-mcp/internal/sandbox/wire"
)

// The answers of one run that nobody has read yet are bounded in sum; one alone has
// room, unless no frame could hold it.
func TestAnswersAreBounded(t *testing.T) {
	r := &run{}
	const large = 40 << 20
	if e := r.hand("a.b", large); e != nil {
		t.Fatalf("the first one: %s", e.Message)
	}
	if e := r.hand("a.b", large); e == nil || !strings.Contains(e.Message, "40 MB of results of this run wait") {
		t.Errorf("the second one: %+v", e)
	}
	if e := r.hand("a.b", 1<<20); e != nil {
		t.Errorf("a small one: %s", e.Message)
	}
	r.handed(large)
	if e := r.hand("a.b", large); e != nil {
		t.Errorf("once the first was read: %s", e.Message)
	}
	if e := (&run{}).hand("a.b", wire.MaxFrame); e == nil || !strings.Contains(e.Message, "at most 64 can be passed on") {
		t.Errorf("one that no frame holds: %+v", e)
	}
}
