package sdkgen

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quote writes s as a string literal of TypeScript. What can't be seen, or
// turns the direction of the text around it, is escaped.
func quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80 && r >= 0x20 && r != 0x7f:
			b.WriteRune(r)
		case r == utf8.RuneError:
			b.WriteString(`\ufffd`)
		case unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r):
			if r > 0xffff {
				fmt.Fprintf(&b, `\u{%x}`, r)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// key writes a property name, quoted unless it is a plain identifier.
func key(name string) string {
	if isIdentifier(name) {
		return name
	}
	return quote(name)
}

// isIdentifier reports whether name is an identifier of ASCII letters. Reserved
// words count: they are good property names.
func isIdentifier(name string) bool {
	for i, r := range name {
		switch {
		case r == '_', r == '$', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		case '0' <= r && r <= '9' && i > 0:
		default:
			return false
		}
	}
	return name != ""
}

// hidden reports whether a rune is left out of comments: it has no shape of its
// own, or reorders the text after it, or could smuggle text past a reader.
func hidden(r rune) bool {
	switch {
	case r < 0x20, 0x7f <= r && r <= 0x9f:
		return true
	case 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == 0x200e, r == 0x200f:
		return true
	case r == 0xfeff, 0xe0000 <= r && r <= 0xe0fff:
		return true
	}
	return unicode.Is(unicode.Co, r)
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\u0085", "\n", "\u2028", "\n", "\u2029", "\n", "\t", "  ")

// proseLines makes foreign text safe inside a comment: at most max characters,
// no end of comment, no tags, no blank lines at its ends.
func proseLines(s string, max int) []string {
	s = lineBreaks.Replace(clip(strings.TrimSpace(s), max))
	s = strings.Map(func(r rune) rune {
		if r != '\n' && hidden(r) {
			return -1
		}
		return r
	}, s)
	s = strings.ReplaceAll(s, "*/", `*\/`)
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRight(neutral(line), " ")
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// neutral escapes every @ that would begin a documentation tag or a compiler
// directive: one at the start of a line, or after a space or a mark.
func neutral(line string) string {
	if !strings.Contains(line, "@") {
		return line
	}
	var b strings.Builder
	prev := ' '
	for _, r := range line {
		if r == '@' && !unicode.IsLetter(prev) && !unicode.IsDigit(prev) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		prev = r
	}
	return b.String()
}

// inline is foreign text on one line, safe inside a comment.
func inline(s string, max int) string {
	return strings.Join(strings.Fields(strings.Join(proseLines(s, max), " ")), " ")
}

// clip cuts s after max characters and says so.
func clip(s string, max int) string {
	if len(s) <= max {
		return s
	}
	n := 0
	for i := range s {
		if n == max {
			return fmt.Sprintf("%s… [cut: %d characters in all]", strings.TrimRight(s[:i], " "), utf8.RuneCountInString(s))
		}
		n++
	}
	return s
}

// comment is a comment within a line.
func comment(s string) string {
	return "/* " + inline(s, maxInlineDoc) + " */"
}

// docComment lays out a documentation comment, or nothing when there are no
// lines. The lines are safe already.
func docComment(lines []string, indent string) string {
	switch {
	case len(lines) == 0:
		return ""
	case len(lines) == 1:
		return indent + "/** " + lines[0] + " */\n"
	}
	var b strings.Builder
	b.WriteString(indent + "/**\n")
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+" * "+line, " ") + "\n")
	}
	b.WriteString(indent + " */\n")
	return b.String()
}
