package server

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxStreams bounds the streams of a session that can be resumed; the oldest
	// go. Each request has one.
	maxStreams = 32
	// maxNotices bounds what the stream without a request keeps: a client that has
	// not listened needs no long list of "the list has changed".
	maxNotices = 16
	// maxSessionBytes and maxEventBytes bound the events kept for one session, and
	// for all.
	maxSessionBytes = 4 << 20
	maxEventBytes   = 128 << 20
)

// events are what a stream can still replay.
type events struct {
	first int // the number of the first that is kept
	data  [][]byte
	bytes int
	used  uint64
}

func (e *events) add(data []byte) {
	e.data = append(e.data, slices.Clone(data))
	e.bytes += len(data)
}

func (e *events) drop() int {
	n := len(e.data[0])
	e.data[0] = nil // the list keeps its place for a while
	e.data = e.data[1:]
	e.first++
	e.bytes -= n
	return n
}

var _ mcp.EventStore = (*sessions)(nil)

// Open makes room for a stream.
func (s *sessions) Open(_ context.Context, sessionID, streamID string) error {
	if sessionID == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.getLocked(sessionID)
	if h.streams[streamID] != nil {
		return nil
	}
	for len(h.streams) > maxStreams {
		s.forgetLocked(h, streamID)
	}
	h.streams[streamID] = &events{used: s.clock}
	return nil
}

// forgetLocked drops the stream of a session that was unused longest, but not the
// one without a request.
func (s *sessions) forgetLocked(h *httpSession, kept string) {
	oldest, found := "", false
	for id, e := range h.streams {
		if id == "" || id == kept {
			continue
		}
		if !found || e.used < h.streams[oldest].used {
			oldest, found = id, true
		}
	}
	if found {
		s.lessLocked(h, h.streams[oldest].bytes)
		delete(h.streams, oldest)
	}
}

var errForgotten = errors.New("the events are not kept any more")

// Append keeps an event. When there is no room, what is oldest goes: the event
// itself is delivered all the same.
func (s *sessions) Append(_ context.Context, sessionID, streamID string, data []byte) error {
	if sessionID == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.byID[sessionID]
	if h == nil || h.streams[streamID] == nil {
		return errForgotten
	}
	e := h.streams[streamID]
	s.clock++
	h.used, e.used = s.clock, s.clock
	e.add(data)
	s.bytes, h.bytes = s.bytes+len(data), h.bytes+len(data)
	for streamID == "" && len(e.data) > maxNotices {
		s.lessLocked(h, e.drop())
	}
	for h.bytes > maxSessionBytes && s.shrinkLocked(h) {
	}
	for s.bytes > maxEventBytes {
		oldest := s.oldestLocked()
		if oldest == nil {
			break
		}
		for s.bytes > maxEventBytes && s.shrinkLocked(oldest) {
		}
	}
	return nil
}

// lessLocked counts bytes that a session keeps no more.
func (s *sessions) lessLocked(h *httpSession, n int) {
	s.bytes -= n
	h.bytes -= n
}

// shrinkLocked drops the oldest event of the stream that was unused longest.
func (s *sessions) shrinkLocked(h *httpSession) bool {
	var oldest *events
	for _, e := range h.streams {
		if e.bytes > 0 && (oldest == nil || e.used < oldest.used) {
			oldest = e
		}
	}
	if oldest == nil {
		return false
	}
	s.lessLocked(h, oldest.drop())
	return true
}

// oldestLocked is the session that was unused longest of those that keep events.
func (s *sessions) oldestLocked() *httpSession {
	var oldest *httpSession
	for _, h := range s.byID {
		if h.bytes > 0 && (oldest == nil || h.used < oldest.used) {
			oldest = h
		}
	}
	return oldest
}

// After gives the events behind a number, or an error when some are gone.
func (s *sessions) After(_ context.Context, sessionID, streamID string, index int) iter.Seq2[[]byte, error] {
	data, err := s.after(sessionID, streamID, index)
	return func(yield func([]byte, error) bool) {
		if err != nil {
			yield(nil, err)
			return
		}
		for _, d := range data {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (s *sessions) after(sessionID, streamID string, index int) ([][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.byID[sessionID]
	if h == nil || h.streams[streamID] == nil {
		return nil, errForgotten
	}
	e := h.streams[streamID]
	if streamID == "" && index < 0 {
		// A listener that begins anew: it takes what is kept, and the SDK counts from
		// nought again.
		e.first = 0
	}
	start := index + 1 - e.first
	if start < 0 {
		return nil, errForgotten
	}
	return slices.Clone(e.data[min(start, len(e.data)):]), nil
}

// SessionClosed forgets a session and ends what belongs to it.
func (s *sessions) SessionClosed(_ context.Context, sessionID string) error {
	s.mu.Lock()
	h := s.byID[sessionID]
	delete(s.byID, sessionID)
	if h != nil {
		s.bytes -= h.bytes
	}
	s.mu.Unlock()
	if h == nil {
		return nil
	}
	h.cancel()
	if s.opts.Closed != nil && h.owner != "" {
		s.opts.Closed(h.owner, sessionID)
	}
	return nil
}
