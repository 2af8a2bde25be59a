package workspace

import (
	"bytes"
	"context"
	"io"
	"strings"
	"unicode/utf8"
)

// cutMark stands where a shown line was cut.
const cutMark = "[...]"

// found is what the search of one file gave.
type found struct {
	matches    []grepMatch
	bytes      int // of shown text
	full       bool
	binary     bool
	unreadable bool
}

// buffers are what a search works in. They are reused: see [buffersPool].
type buffers struct {
	chunk [chunkBytes]byte
	low   [chunkBytes]byte
}

// searcher searches one file, a chunk of whole lines at a time.
type searcher struct {
	scan
	path    string
	context int
	limit   int // matches after which there is no need to go on
	buf     *buffers

	line   int      // number of the next line, from 1
	before []string // the last lines that no match has shown yet
	after  int      // lines the last match still wants
	found  found
}

func (s *searcher) file(ctx context.Context, r io.Reader) error {
	s.line = 1
	s.stopped = func() bool { return ctx.Err() != nil }
	have, overlong := 0, false
	for !s.found.full {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(r, s.buf.chunk[have:])
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return err
		}
		if bytes.IndexByte(s.buf.chunk[have:have+n], 0) >= 0 {
			s.found = found{binary: true}
			return nil
		}
		data := s.buf.chunk[:have+n]
		if overlong { // its head was searched: pass over the rest
			nl := bytes.IndexByte(data, '\n')
			if nl < 0 {
				if have = 0; end {
					return nil
				}
				continue
			}
			data, overlong = data[nl+1:], false
		}
		nl := bytes.LastIndexByte(data, '\n')
		switch {
		case end:
			if text := bytes.TrimSuffix(data, []byte("\n")); len(data) > 0 {
				s.lines(text)
			}
			return ctx.Err()
		case nl >= 0:
			s.lines(data[:nl])
			have = copy(s.buf.chunk[:], data[nl+1:])
		case len(data) == len(s.buf.chunk):
			s.lines(data)
			have, overlong = 0, true
		default:
			have = copy(s.buf.chunk[:], data)
		}
	}
	return nil
}

// lines searches whole lines.
func (s *searcher) lines(text []byte) {
	s.start(text, s.buf.low[:])
	for pos := 0; pos <= len(text); {
		from, to, at := s.scan.line(pos)
		if from < 0 {
			s.pass(text[pos:])
			s.line++ // the last line has no line break
			return
		}
		if from > pos {
			s.pass(text[pos : from-1])
			s.line++
		}
		s.match(trimCR(text[from:to]), at)
		if s.found.full {
			return
		}
		s.line++
		pos = to + 1
	}
}

// match notes the line as a match.
func (s *searcher) match(line []byte, at int) {
	m := grepMatch{Path: s.path, Line: s.line, Text: cutLine(line, at), Before: s.before}
	s.found.bytes += len(m.Text)
	for _, b := range m.Before {
		s.found.bytes += len(b)
	}
	s.found.matches = append(s.found.matches, m)
	s.found.full = len(s.found.matches) >= s.limit || s.found.bytes > maxGrepBytes
	s.before, s.after = nil, s.context
}

// pass goes over lines that do not match. It leaves s.line at the last of them.
func (s *searcher) pass(text []byte) {
	s.line += bytes.Count(text, []byte("\n"))
	if s.context == 0 {
		return
	}
	more := true
	for ; s.after > 0 && more; s.after-- {
		var line []byte
		line, text, more = bytes.Cut(text, []byte("\n"))
		shown := cutLine(trimCR(line), 0)
		last := &s.found.matches[len(s.found.matches)-1]
		last.After = append(last.After, shown)
		s.found.bytes += len(shown)
	}
	if !more {
		return
	}
	var tail []string // backwards
	for n := 0; n < s.context && more; n++ {
		i := bytes.LastIndexByte(text, '\n')
		tail = append(tail, cutLine(trimCR(text[i+1:]), 0))
		if more = i >= 0; more {
			text = text[:i]
		}
	}
	keep := min(len(s.before), s.context-len(tail))
	before := append([]string(nil), s.before[len(s.before)-keep:]...)
	for i := len(tail) - 1; i >= 0; i-- {
		before = append(before, tail[i])
	}
	s.before = before
}

// cutLine shows a line, or the part of a long one around the offset at.
func cutLine(line []byte, at int) string {
	if len(line) <= maxLineBytes {
		return strings.ToValidUTF8(string(line), string(utf8.RuneError))
	}
	from := max(0, min(at-leadBytes, len(line)-maxLineBytes))
	to := min(len(line), from+maxLineBytes)
	for from > 0 && from < to && !utf8.RuneStart(line[from]) {
		from++
	}
	for to < len(line) && to > from && !utf8.RuneStart(line[to]) {
		to--
	}
	out := strings.ToValidUTF8(string(line[from:to]), string(utf8.RuneError))
	if from > 0 {
		out = cutMark + out
	}
	if to < len(line) {
		out += cutMark
	}
	return out
}
