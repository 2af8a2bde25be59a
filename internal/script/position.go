package script

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Positions are byte offsets while they are led back from V8's code to the
// author's source. Lines end where JavaScript ends them; V8 counts columns in
// UTF-16 units, people in characters.

// lineEnd is the length of the line end at the start of s, or 0.
func lineEnd(s string) int {
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return 2
	case s != "" && (s[0] == '\n' || s[0] == '\r'):
		return 1
	case strings.HasPrefix(s, "\u2028"), strings.HasPrefix(s, "\u2029"):
		return 3
	}
	return 0
}

// offsetAt finds the byte offset of a line and a column in UTF-16 units, both
// from 1. What lies behind the line's end is its end, what lies behind the last
// line the end of the text.
func offsetAt(s string, line, column int) int {
	i := 0
	for ; line > 1; line-- {
		for i < len(s) && lineEnd(s[i:]) == 0 {
			i++
		}
		if i >= len(s) {
			return len(s)
		}
		i += lineEnd(s[i:])
	}
	for units := column - 1; units > 0 && i < len(s) && lineEnd(s[i:]) == 0; {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		units -= width16(r)
	}
	return i
}

// offsetOf finds the byte offset of a line and a column in characters, both from 1,
// as [offsetAt] does.
func offsetOf(s string, line, column int) int {
	i := offsetAt(s, line, 1)
	for ; column > 1 && i < len(s) && lineEnd(s[i:]) == 0; column-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}

// offset16 turns an offset in UTF-16 units into one in bytes.
func offset16(s string, units int) int {
	i := 0
	for i < len(s) && units > 0 {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		units -= width16(r)
	}
	return i
}

func width16(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// position gives the line and the column, in characters, of a byte offset.
func position(source string, offset int) (line, column int) {
	offset = min(max(offset, 0), len(source))
	line, start := 1, 0
	for i := 0; i < offset; {
		n := lineEnd(source[i:])
		if n == 0 {
			i++
			continue
		}
		if i+n > offset { // between CR and LF
			break
		}
		i += n
		line, start = line+1, i
	}
	return line, utf8.RuneCountInString(source[start:offset]) + 1
}

// maxExcerpt is how much of a source line an excerpt shows, in characters.
const maxExcerpt = 120

// excerpt is the source line with a caret under the column. A long line is shown
// around the column.
func excerpt(source string, line, column int) string {
	if line < 1 {
		return ""
	}
	start := offsetAt(source, line, 1)
	end := start
	for end < len(source) && lineEnd(source[end:]) == 0 {
		end++
	}
	runes := []rune(source[start:end])
	column = min(column, len(runes)+1) // a script may write any stack it likes
	from := 0
	if column > maxExcerpt*2/3 {
		from = min(column-maxExcerpt*2/3, max(0, len(runes)-maxExcerpt))
	}
	to := min(len(runes), from+maxExcerpt)
	shown := strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		return r
	}, string(runes[from:to]))
	if column < 1 {
		return shown
	}
	return fmt.Sprintf("%s\n%s^", shown, strings.Repeat(" ", max(0, column-1-from)))
}
