package bridge

import (
	"bytes"
	"encoding/json"
	"strings"
)

// minUnsafe is how many digits an integer has at least that JavaScript would
// round.
const minUnsafe = 16

// maxSafe is 2^53, up to which every integer is a number of its own.
const maxSafe = "9007199254740992"

// exactInts turns integers outside of +-2^53 into strings of all their digits:
// the worker's JSON.parse would round them without a word. The text is JSON.
func exactInts(text json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	done := 0 // what is in out already
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			i = endOfString(text, i)
		case c == '-' || c >= '0' && c <= '9':
			end, whole := endOfNumber(text, i)
			if whole && unsafeInt(text[i:end]) {
				out.Write(text[done:i])
				out.WriteByte('"')
				out.Write(text[i:end])
				out.WriteByte('"')
				done = end
			}
			i = end - 1
		}
	}
	if done == 0 {
		return text
	}
	out.Write(text[done:])
	return out.Bytes()
}

// endOfString is the place of the closing quote.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// endOfNumber is the place after a number, and whether it has neither a fraction
// nor an exponent.
func endOfNumber(text []byte, i int) (end int, whole bool) {
	whole = true
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9' || c == '-':
		case c == '.' || c == 'e' || c == 'E' || c == '+':
			whole = false
		default:
			return i, whole
		}
	}
	return i, whole
}

func unsafeInt(digits []byte) bool {
	digits = bytes.TrimPrefix(digits, []byte("-"))
	if len(digits) != minUnsafe {
		return len(digits) > minUnsafe
	}
	return strings.Compare(string(digits), maxSafe) > 0
}
