package httpd

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

const (
	// idleAfter is how long an answer may be silent before a comment is sent. The
	// proxies in wide use give up after 60 s, some clients after 30.
	idleAfter = 15 * time.Second
	// writeWithin is how long a client may take to read one piece. It bounds each
	// write; nothing bounds the whole of a stream.
	writeWithin = 30 * time.Second
	// slowestClient is what a client must read, in bytes a second.
	slowestClient = 64 << 10
	// maxPlain bounds what is kept of a plain error of the SDK.
	maxPlain = 4 << 10
)

// stream is the response that the SDK writes to. It keeps the connection alive
// while a request is silent, and turns plain errors into JSON-RPC errors.
//
// The SDK writes from several goroutines and sends no byte before its first
// message (go-sdk #1155), so that proxies would end a long run. Its headers are
// kept apart until the first byte: the ticker never reads them.
type stream struct {
	w    http.ResponseWriter
	ctl  *http.ResponseController
	id   json.RawMessage
	wait time.Duration

	header http.Header // the SDK's
	mu     sync.Mutex
	status int          // guarded by mu: what the SDK said, or 0
	sent   bool         // guarded by mu: the status is on the wire
	events bool         // guarded by mu: the answer is an event stream
	early  bool         // guarded by mu: it was begun by a comment
	ended  bool         // guarded by mu: the handler has returned
	plain  bytes.Buffer // guarded by mu: a plain error
	bytes  int64        // guarded by mu
	last   time.Time    // guarded by mu: of the last byte

	quit chan struct{}
	wg   sync.WaitGroup
}

func newStream(w http.ResponseWriter, id json.RawMessage) *stream {
	return &stream{w: w, ctl: http.NewResponseController(w), id: id, wait: idleAfter,
		header: http.Header{}, last: time.Now(), quit: make(chan struct{})}
}

// keepAlive sends comments while the answer is silent. It is for requests that
// are answered by events.
func (s *stream) keepAlive() {
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		tick := time.NewTicker(max(s.wait/4, time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-s.quit:
				return
			case <-tick.C:
				s.comment()
			}
		}
	}()
}

func (s *stream) comment() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || time.Since(s.last) < s.wait || s.sent && !s.events || s.status != 0 && !s.sent {
		return
	}
	if !s.sent {
		h := s.w.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-cache, no-transform")
		s.begin(http.StatusOK)
		s.early = true
	}
	s.write([]byte(":\n\n"))
	s.flush()
}

// begin sends the status. The caller holds mu.
func (s *stream) begin(status int) {
	h := s.w.Header()
	s.events = h.Get("Content-Type") == "text/event-stream"
	if s.events {
		h.Set("X-Accel-Buffering", "no") // nginx would keep the events back
	}
	h.Set("X-Content-Type-Options", "nosniff")
	s.status, s.sent = status, true
	s.w.WriteHeader(status)
}

// write sends bytes within a deadline. The caller holds mu.
func (s *stream) write(p []byte) (int, error) {
	patience := writeWithin + time.Duration(len(p)/slowestClient)*time.Second
	_ = s.ctl.SetWriteDeadline(time.Now().Add(patience)) // not every writer has one
	s.last = time.Now()
	s.bytes += int64(len(p))
	return s.w.Write(p)
}

func (s *stream) flush() { _ = s.ctl.Flush() }

// Header is where the SDK puts its headers.
func (s *stream) Header() http.Header { return s.header }

// WriteHeader keeps the status until the first byte.
func (s *stream) WriteHeader(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended && (s.status == 0 || s.early) {
		s.status = status
	}
}

func (s *stream) isPlainError() bool {
	return s.status >= 400 && s.header.Get("Content-Type") != "application/json"
}

// Write takes a piece of the SDK's answer.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended:
		return 0, http.ErrHandlerTimeout // the request is over
	case s.isPlainError():
		s.plain.Write(p[:min(len(p), maxPlain-s.plain.Len())])
		return len(p), nil
	case s.early && s.status >= 400:
		// An error that wanted a status of its own comes after a comment: the stream
		// carries it as a message.
		return len(p), s.event(bytes.TrimSpace(p))
	}
	s.open()
	return s.write(p)
}

// event sends a message of the stream. The caller holds mu.
func (s *stream) event(data []byte) error {
	_, err := s.write(append(append([]byte("event: message\ndata: "), data...), "\n\n"...))
	s.flush()
	return err
}

// open sends the SDK's status and headers, once. The caller holds mu.
func (s *stream) open() {
	if s.sent {
		return
	}
	h := s.w.Header()
	for name, values := range s.header {
		h[name] = values
	}
	if s.status == 0 {
		s.status = http.StatusOK
	}
	s.begin(s.status)
}

// Flush sends what was written.
func (s *stream) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended && !s.isPlainError() {
		s.open()
		s.flush()
	}
}

// finish ends the answer. Nothing is written after it.
func (s *stream) finish() (status int, bytes int64) {
	close(s.quit)
	s.wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	switch {
	case s.isPlainError() && !s.sent:
		h := s.w.Header()
		for _, name := range []string{"Allow", "Retry-After", "WWW-Authenticate"} {
			if v := s.header.Values(name); v != nil {
				h[name] = v
			}
		}
		refuse(s.w, s.status, codeFor(s.status), s.id, plainReason(s.status, s.plain.Bytes()))
	case s.isPlainError() && s.early:
		_ = s.event(errorBody(codeFor(s.status), s.id, plainReason(s.status, s.plain.Bytes())))
	case !s.sent && s.status != 0:
		s.open()
	}
	_ = s.ctl.SetWriteDeadline(time.Time{}) // the connection may serve more requests
	if s.status == 0 {
		s.status = http.StatusOK
	}
	return s.status, s.bytes
}

// crashed answers a request whose handler panicked, if it still can be.
func (s *stream) crashed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.sent:
		s.header.Set("Content-Type", "application/json")
		s.status = http.StatusInternalServerError
		s.open()
		_, _ = s.write(errorBody(codeInternal, s.id, "internal error"))
	case s.events:
		_ = s.event(errorBody(codeInternal, s.id, "internal error"))
	}
}
