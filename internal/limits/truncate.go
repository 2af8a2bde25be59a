package limits

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Truncate cuts a JSON text to at most about limit bytes so that what remains
// is valid JSON: whole elements are kept from the front, a string is cut at a
// character. It reports whether it cut anything. The input must be valid JSON.
//
// One pass over the bytes, no tree: a result may be tens of megabytes.
func Truncate(raw json.RawMessage, limit int) (json.RawMessage, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) <= limit {
		return raw, false
	}
	c := cutter{in: raw, limit: max(limit, 2)}
	c.value()
	return c.out, true
}

// maxCutDepth bounds how deep the cut looks. What lies deeper is kept whole or
// dropped whole.
const maxCutDepth = 200

type cutter struct {
	in    []byte
	at    int // the next byte to read
	out   []byte
	limit int
	depth int
}

// room is what may still be written, closing brackets kept in reserve.
func (c *cutter) room() int { return c.limit - len(c.out) - c.depth - 1 }

// value copies one value and reports whether it is whole. After a cut nothing
// more is read.
func (c *cutter) value() bool {
	c.space()
	if end, ok := c.end(c.room()); ok {
		c.out = append(c.out, c.in[c.at:end]...)
		c.at = end
		return true
	}
	switch open := c.in[c.at]; {
	case open == '"':
		c.cutString()
	case (open == '[' || open == '{') && c.depth < maxCutDepth:
		c.cutContainer()
	default: // a number or a literal that does not fit, or too deep to look into
		c.out = append(c.out, "null"...)
	}
	return false
}

func (c *cutter) cutString() {
	keep := min(c.at+max(c.room()-1, 1), len(c.in)-1)
	s := c.in[c.at:keep]
	for i := len(s) - 1; i >= 0 && i > len(s)-12; i-- { // not within an escape
		if s[i] == '\\' {
			run := 0
			for j := i; j >= 0 && s[j] == '\\'; j-- {
				run++
			}
			if run%2 == 1 && len(s)-i < escapeLen(s[i:]) {
				s = s[:i]
			}
			break
		}
	}
	for len(s) > 1 && !utf8.Valid(s[max(0, len(s)-utf8.UTFMax):]) && !utf8.RuneStart(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if r, n := utf8.DecodeLastRune(s); r == utf8.RuneError && n == 1 && len(s) > 1 {
		s = s[:len(s)-1]
	}
	if i := len(s) - 6; i > 0 && s[i] == '\\' && s[i+1] == 'u' && (s[i+2] == 'd' || s[i+2] == 'D') && bytes.IndexByte([]byte("89abAB"), s[i+3]) >= 0 {
		s = s[:i] // half of a surrogate pair
	}
	c.out = append(append(c.out, s...), '"')
}

func escapeLen(s []byte) int {
	if len(s) > 1 && s[1] == 'u' {
		return 6
	}
	return 2
}

func (c *cutter) cutContainer() {
	open := c.in[c.at]
	c.out = append(c.out, open)
	c.at++
	c.depth++
	for n := 0; ; n++ {
		c.space()
		if c.in[c.at] == ']' || c.in[c.at] == '}' || c.room() < 8 {
			break
		}
		mark := len(c.out)
		if n > 0 {
			c.at++ // the comma
			c.out = append(c.out, ',')
			c.space()
		}
		if open == '{' {
			keyEnd, ok := c.end(c.room() - 8)
			if !ok {
				c.out = c.out[:mark]
				break
			}
			c.out = append(append(c.out, c.in[c.at:keyEnd]...), ':')
			c.at = keyEnd
			c.space()
			c.at++ // the colon
		}
		if !c.value() {
			break
		}
	}
	c.depth--
	if open == '{' {
		c.out = append(c.out, '}')
	} else {
		c.out = append(c.out, ']')
	}
}

func (c *cutter) space() {
	for c.at < len(c.in) && (c.in[c.at] == ' ' || c.in[c.at] == '\n' || c.in[c.at] == '\t' || c.in[c.at] == '\r') {
		c.at++
	}
}

// end finds where the value at c.at ends, if it ends within room bytes. The
// bound keeps the whole cut linear in what is kept, whatever the input's size.
func (c *cutter) end(room int) (int, bool) {
	last := min(len(c.in), c.at+max(room, 0))
	depth := 0
	for i := c.at; i < last; i++ {
		switch c.in[i] {
		case '"':
			for i++; i < last && c.in[i] != '"'; i++ {
				if c.in[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1, i < last
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth == 0 {
				return i, true
			}
			if depth--; depth == 0 {
				return i + 1, true
			}
		case ',', ':', ' ', '\n', '\r', '\t':
			if depth == 0 {
				return i, true
			}
		}
	}
	return last, last == len(c.in) && depth == 0
}
