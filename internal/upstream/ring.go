package upstream

import (
	"strings"
	"sync"
)

// maxSaid is what is kept of a server's stderr, and maxShown what a message shows
// of it, in bytes: what a server says last tells why it failed.
const (
	maxSaid  = 16 << 10
	maxShown = 1 << 10
)

// ring keeps the end of what is written to it.
type ring struct {
	mu   sync.Mutex
	text []byte // guarded by mu
}

// Write never fails and never blocks.
func (r *ring) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(p)
	if len(p) > maxSaid {
		p = p[len(p)-maxSaid:]
	}
	if over := len(r.text) + len(p) - maxSaid; over > 0 {
		r.text = append(r.text[:0], r.text[over:]...)
	}
	r.text = append(r.text, p...)
	return n, nil
}

// last gives the last lines, with hide put over them before they are cut.
func (r *ring) last(hide func(string) string) string {
	r.mu.Lock()
	text := strings.ToValidUTF8(string(r.text), "?")
	r.mu.Unlock()
	text = strings.TrimSpace(hide(text))
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[len(text)-maxShown:], "")
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		}
	}
	return text
}
