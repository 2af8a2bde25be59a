package bridge

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// escapeSize is the length of \uXXXX.
const escapeSize = 6

// wellFormed writes U+FFFD for every surrogate that stands alone. V8 gives such a
// one as an escape, which is JSON; but a reader that turns it into UTF-8 fails, and
// with it the whole message.
func wellFormed(text json.RawMessage) json.RawMessage {
	if !bytes.Contains(text, []byte(`\ud`)) && !bytes.Contains(text, []byte(`\uD`)) {
		return text
	}
	out := bytes.Clone(text)
	for i := 0; i < len(out); i++ {
		if out[i] != '\\' {
			continue
		}
		switch unit := escaped(out[i:]); {
		case unit >= 0xd800 && unit < 0xdc00 && low(escaped(out[i+escapeSize:])):
			i += 2*escapeSize - 1
		case unit >= 0xd800 && unit < 0xe000:
			copy(out[i:], `\ufffd`)
			i += escapeSize - 1
		default:
			i++ // over the escaped character
		}
	}
	return out
}

// escaped is the unit of a \uXXXX at the start of a text, or -1.
func escaped(text []byte) int64 {
	if len(text) < escapeSize || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseInt(string(text[2:escapeSize]), 16, 32)
	if err != nil {
		return -1
	}
	return n
}

func low(unit int64) bool { return unit >= 0xdc00 && unit < 0xe000 }
