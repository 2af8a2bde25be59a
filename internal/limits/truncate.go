package limits

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Truncate cuts a JSON text to at most about limit characters so that what
// remains is valid JSON: whole elements are kept from the front, a string is cut at
// a character. It reports whether it cut anything. The input must be valid JSON.
//
// One pass over the bytes, no tree: a result may be tens of megabytes.
func Truncate(raw json.RawMessage, limit int) (json.RawMessage, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) <= limit || utf8.RuneCount(raw) <= limit {
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
	size  int // characters in out
	limit int
	depth int
}

// room is how many characters may still be written, closing brackets kept in
// reserve.
func (c *cutter) room() int { return c.limit - c.size - c.depth - 1 }

func (c *cutter) put(text ...byte) {
	c.out = append(c.out, text...)
	c.size += utf8.RuneCount(text)
}

// value copies one value and reports whether it is whole. After a cut nothing
// more is read.
func (c *cutter) value() bool {
	c.space()
	if end, ok := c.end(c.room()); ok {
		c.put(c.in[c.at:end]...)
		c.at = end
		return true
	}
	switch open := c.in[c.at]; {
	case open == '"':
		c.cutString()
	case (open == '[' || open == '{') && c.depth < maxCutDepth:
		c.cutContainer()
	default: // a number or a literal that does not fit, or too deep to look into
		c.put('n', 'u', 'l', 'l')
	}
	return false
}

func (c *cutter) cutString() {
	s := c.in[c.at:c.ahead(max(c.room()-1, 1))]
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
	if i := len(s) - 6; i > 0 && s[i] == '\\' && s[i+1] == 'u' && (s[i+2] == 'd' || s[i+2] == 'D') && bytes.IndexByte([]byte("89abAB"), s[i+3]) >= 0 {
		s = s[:i] // half of a surrogate pair
	}
	c.put(s...)
	c.put('"')
}

// ahead is the place so many characters further, before the end of the input's
// last one.
func (c *cutter) ahead(characters int) int {
	i := c.at
	for n := 0; n < characters && i < len(c.in)-1; n++ {
		_, size := utf8.DecodeRune(c.in[i:])
		i += size
	}
	return min(i, len(c.in)-1)
}

func escapeLen(s []byte) int {
	if len(s) > 1 && s[1] == 'u' {
		return 6
	}
	return 2
}

func (c *cutter) cutContainer() {
	open := c.in[c.at]
	c.put(open)
	c.at++
	c.depth++
	for n := 0; ; n++ {
		c.space()
		if c.in[c.at] == ']' || c.in[c.at] == '}' || c.room() < 8 {
			break
		}
		mark, size := len(c.out), c.size
		if n > 0 {
			c.at++ // the comma
			c.put(',')
			c.space()
		}
		if open == '{' {
			keyEnd, ok := c.end(c.room() - 8)
			if !ok {
				c.out, c.size = c.out[:mark], size
				break
			}
			c.put(c.in[c.at:keyEnd]...)
			c.put(':')
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
		c.put('}')
	} else {
		c.put(']')
	}
}

func (c *cutter) space() {
	for c.at < len(c.in) && (c.in[c.at] == ' ' || c.in[c.at] == '\n' || c.in[c.at] == '\t' || c.in[c.at] == '\r') {
		c.at++
	}
}

// end finds where the value at c.at ends, if it ends within room characters. The
// bound keeps the whole cut linear in what is kept, whatever the input's size.
func (c *cutter) end(room int) (int, bool) {
	depth, n, inString := 0, 0, false
	for i := c.at; i < len(c.in); i++ {
		b := c.in[i]
		if utf8.RuneStart(b) {
			if n++; n > room {
				return i, false
			}
		}
		if inString {
			switch b {
			case '\\':
				i, n = i+1, n+1
			case '"':
				if inString = false; depth == 0 {
					return i + 1, true
				}
			}
			continue
		}
		switch b {
		case '"':
			inString = true
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
	return len(c.in), depth == 0 && !inString
}
