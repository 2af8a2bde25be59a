package sandbox

import (
	"fmt"
	"strings"
	"sync"
)

// outputHead and outputTail are what is kept of a worker's stderr, in bytes: V8
// says first what went wrong, Go last.
const (
	outputHead = 4 << 10
	outputTail = 4 << 10
)

// ring keeps the head and the tail of what is written to it.
type ring struct {
	mu      sync.Mutex
	head    []byte // guarded by mu
	tail    []byte // guarded by mu
	dropped int    // guarded by mu
	maxHead int
	maxTail int
}

func newRing(head, tail int) *ring { return &ring{maxHead: head, maxTail: tail} }

// Write never fails and never blocks.
func (r *ring) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(p)
	if room := r.maxHead - len(r.head); room > 0 {
		take := min(room, len(p))
		r.head = append(r.head, p[:take]...)
		p = p[take:]
	}
	r.tail = append(r.tail, p...)
	if over := len(r.tail) - r.maxTail; over > 0 {
		r.dropped += over
		r.tail = append(r.tail[:0], r.tail[over:]...)
	}
	return n, nil
}

func (r *ring) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := string(r.head)
	if r.dropped > 0 {
		s += fmt.Sprintf("\n[%d bytes left out]\n", r.dropped)
	}
	return strings.ToValidUTF8(s+string(r.tail), "?")
}
