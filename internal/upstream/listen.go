package upstream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// firstReopen and maxReopen bound the wait before a stream that ended is opened
	// again; it doubles each time that the stream did not last.
	firstReopen = time.Second
	maxReopen   = time.Minute
	// minRetry bounds what a server may ask for instead.
	minRetry = 50 * time.Millisecond
	// openWithin is how long a server that has just started may take to answer that the
	// stream is open, before it is called: some ask their questions there and nowhere
	// else, and lose them when nobody listens. Some answer with the first event only.
	openWithin = 250 * time.Millisecond
)

// stream is what an HTTP server of before 2026-07-28 says outside of any call: that
// its list changed, and questions. The SDK opens it too, but waits for the answer's
// head while it connects, without end.
type stream struct {
	url      string
	client   *http.Client
	oauth    auth.OAuthHandler // nil: none
	session  string
	revision string
	max      int // bounds an event, in bytes
	deliver  func(jsonrpc.Message)
	tried    chan struct{} // closed when the first attempt was answered

	retry time.Duration // what the last stream wanted clients to wait, or none
}

// await waits until the server has answered the first attempt, but not for long.
func (s *stream) await(ctx context.Context) {
	timer := time.NewTimer(openWithin)
	defer timer.Stop()
	select {
	case <-s.tried:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// listen follows the stream until ctx ends, or the server has none.
func (s *stream) listen(ctx context.Context) {
	wait, last := firstReopen, ""
	tried := sync.OnceFunc(func() { close(s.tried) })
	defer tried()
	for {
		opened := time.Now()
		again := s.follow(ctx, &last, tried)
		tried()
		if !again || ctx.Err() != nil {
			return
		}
		if time.Since(opened) > maxReopen { // however it ended: an orderly end is an error too
			wait = firstReopen
		}
		pause := wait
		if s.retry > 0 {
			pause = s.retry
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		wait = min(2*wait, maxReopen)
	}
}

// follow opens the stream once. It reports whether to open it again.
func (s *stream) follow(ctx context.Context, last *string, answered func()) (again bool) {
	s.retry = 0
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return false
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", s.revision)
	if s.session != "" {
		req.Header.Set("Mcp-Session-Id", s.session)
	}
	if *last != "" {
		req.Header.Set("Last-Event-ID", *last)
	}
	if s.oauth != nil {
		if source, err := s.oauth.TokenSource(ctx); err == nil && source != nil {
			if token, err := source.Token(); err == nil {
				token.SetAuthHeader(req)
			}
		}
	}
	res, err := s.client.Do(req)
	if err != nil {
		return true
	}
	defer res.Body.Close()
	answered()
	switch {
	case res.StatusCode == http.StatusOK && strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream"):
		_ = s.events(res.Body, last) // every stream ends one day
		return true
	case res.StatusCode >= 500 || res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusTooManyRequests:
		return true // for now
	}
	return false
}

var errLongEvent = errors.New("an event is too long")

// events reads a stream to its end.
func (s *stream) events(body io.Reader, last *string) error {
	in := bufio.NewReaderSize(body, readBuffer)
	var data []byte
	id, size := "", 0
	for {
		line, err := s.line(in)
		if err != nil {
			return err
		}
		name, value, _ := strings.Cut(string(line), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case len(line) == 0: // the end of an event
			if msg := decodeMessage(bytes.TrimSpace(data)); msg != nil {
				s.deliver(msg)
			}
			if id != "" {
				*last = id
			}
			data, id, size = nil, "", 0
		case name == "data":
			if size += len(value) + 1; size > s.max { // an empty line costs a byte too
				return errLongEvent
			}
			data = append(append(data, value...), '\n')
		case name == "id" && len(value) <= maxEdge && !strings.ContainsAny(value, "\x00\r\n"):
			id = value
		case name == "retry": // in milliseconds; what is no number is ignored (HTML, section 9.2.6)
			if ms, err := strconv.ParseUint(value, 10, 31); err == nil {
				s.retry = min(max(time.Duration(ms)*time.Millisecond, minRetry), maxReopen)
			}
		}
	}
}

// line reads one line, without its end.
func (s *stream) line(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > s.max+maxEdge {
			return nil, errLongEvent
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}
