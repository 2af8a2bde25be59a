package server

import (
	"context"
	"fmt"
	"testing"
)

func replay(s *sessions, session, stream string, after int) (string, error) {
	out := ""
	for data, err := range s.After(context.Background(), session, stream, after) {
		if err != nil {
			return out, err
		}
		out += string(data)
	}
	return out, nil
}

// What streams keep is bounded for each session and for all, and goes with the
// session.
func TestEvents(t *testing.T) {
	ctx := context.Background()
	var closed []string
	s := newSessions(HTTPOptions{MaxSessions: 10, MaxSessionsPerPrincipal: 10, Closed: func(p, id string) { closed = append(closed, p+" "+id) }})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Open(ctx, "a", ""))
	if _, err := s.enter("a", "ada", true); err != nil {
		t.Fatal(err)
	}
	must(s.Open(ctx, "a", "x"))
	for n := range 3 {
		must(s.Append(ctx, "a", "x", fmt.Appendf(nil, "%d", n)))
	}
	if got, err := replay(s, "a", "x", 0); got != "12" || err != nil {
		t.Errorf("after 0: %q %v", got, err)
	}
	if _, err := replay(s, "b", "x", 0); err == nil {
		t.Error("another session replays it")
	}
	// The stream without a request keeps the latest, and a new listener begins there.
	for n := range 2 * maxNotices {
		must(s.Append(ctx, "a", "", fmt.Appendf(nil, "%d,", n)))
	}
	if _, err := replay(s, "a", "", 0); err == nil {
		t.Error("events that are gone are said to be none")
	}
	if got, err := replay(s, "a", "", -1); err != nil || got[:3] != fmt.Sprintf("%d,", maxNotices) {
		t.Errorf("a new listener: %q %v", got, err)
	}
	// Many requests, and large answers.
	for n := range 3 * maxStreams {
		must(s.Open(ctx, "a", fmt.Sprint("s", n)))
		must(s.Append(ctx, "a", fmt.Sprint("s", n), make([]byte, maxSessionBytes/8)))
	}
	h := s.byID["a"]
	if len(h.streams) > maxStreams+2 || kept(h) > maxSessionBytes {
		t.Errorf("%d streams with %d bytes", len(h.streams), kept(h))
	}
	if s.bytes != kept(h) || h.bytes != kept(h) {
		t.Errorf("%d bytes are counted, %d are kept", s.bytes, kept(h))
	}
	must(s.SessionClosed(ctx, "a"))
	if h.ctx.Err() == nil || s.bytes != 0 || len(s.byID) != 0 || len(closed) != 1 || closed[0] != "ada a" {
		t.Errorf("after the end: %v, %d bytes, %d sessions, %q", h.ctx.Err(), s.bytes, len(s.byID), closed)
	}
}

func TestSessionLimits(t *testing.T) {
	s := newSessions(HTTPOptions{MaxSessions: 3, MaxSessionsPerPrincipal: 2})
	enter := func(id, principal string) error {
		_, err := s.enter(id, principal, true)
		return err
	}
	for _, id := range []string{"a1", "a2"} {
		if err := enter(id, "ada"); err != nil {
			t.Fatal(err)
		}
	}
	if enter("a3", "ada") == nil {
		t.Error("a principal has a session too many")
	}
	if err := enter("b1", "bea"); err != nil {
		t.Error(err)
	}
	if enter("b2", "bea") == nil {
		t.Error("there is a session too many")
	}
	if s.owns("bea", "a1") || !s.owns("ada", "a1") || s.owns("ada", "none") {
		t.Error("a session is not its owner's alone")
	}
}

// kept is what a session's streams hold, counted anew.
func kept(h *httpSession) int {
	n := 0
	for _, e := range h.streams {
		n += e.bytes
	}
	return n
}
