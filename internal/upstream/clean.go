package upstream

import (
	"strings"
	"unicode"
)

// clean takes out of a server's words what would act on a terminal or hide from a
// reader: control characters, escape sequences, and marks that turn the direction of
// the text. Line ends and tabs become spaces.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r), r == '\u2028', r == '\u2029', unicode.Is(unicode.Bidi_Control, r), r >= 0xE0000 && r <= 0xE007F:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
