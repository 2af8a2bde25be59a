package httpd

import (
	"context"
	"net/http"
	"sync"

	"codemode-mcp/internal/auth"
)

// endlessStreams are the streams that have no end of their own. Their tokens were checked
// when they were opened, under a configuration that may have changed since.
type endlessStreams struct {
	mu      sync.Mutex
	reviews uint64                      // guarded by mu
	open    map[*endlessStream]struct{} // guarded by mu
}

type endlessStream struct {
	request *http.Request // as it came, with its token
	id      auth.Identity
	end     context.CancelFunc
}

// count is how many reviews there were.
func (e *endlessStreams) count() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.reviews
}

// add keeps a stream until it is done. Current says that no review came since the
// given count, so that the stream's token was checked by what is in force.
func (e *endlessStreams) add(s *endlessStream, since uint64) (current bool, done func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open == nil {
		e.open = map[*endlessStream]struct{}{}
	}
	e.open[s] = struct{}{}
	return since == e.reviews, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.open, s)
	}
}

// Review checks the token of every open stream anew and ends those that would not be
// opened any more, or for somebody else. Call it when who is let in has changed.
// Requests that have an end of their own keep what they began with.
func (s *Server) Review() {
	s.endless.mu.Lock()
	s.endless.reviews++
	var all []*endlessStream
	for o := range s.endless.open {
		all = append(all, o)
	}
	s.endless.mu.Unlock()
	for _, o := range all { // not under the lock: a check may fetch keys
		s.review(o)
	}
}

func (s *Server) review(o *endlessStream) {
	if id, err := s.opts.Auth.Verify(o.request); err != nil || id.Principal != o.id.Principal || !id.Expires.Equal(o.id.Expires) {
		o.end()
	}
}
