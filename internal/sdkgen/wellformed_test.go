package sdkgen

import (
	"errors"
	"fmt"
	"strings"
)

// wellFormed checks a declaration file without a compiler: strings and comments
// end, brackets pair up, and the word any stands only in strings and comments.
func wellFormed(src string) error {
	var open []byte
	pairs := map[byte]byte{')': '(', ']': '[', '}': '{'}
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			end := i + 1
			for end < len(src) && src[end] != '"' && src[end] != '\n' {
				if src[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(src) || src[end] != '"' {
				return fmt.Errorf("string at byte %d does not end", i)
			}
			i = end
		case strings.HasPrefix(src[i:], "//"):
			end := strings.IndexByte(src[i:], '\n')
			if end < 0 {
				return nil
			}
			i += end
		case strings.HasPrefix(src[i:], "/*"):
			end := strings.Index(src[i+2:], "*/")
			if end < 0 {
				return fmt.Errorf("comment at byte %d does not end", i)
			}
			if tag := loneTag(src[i : i+2+end]); tag != "" {
				return fmt.Errorf("comment at byte %d has the tag %s", i, tag)
			}
			i += end + 3
		case c == '(' || c == '[' || c == '{':
			open = append(open, c)
		case pairs[c] != 0:
			if len(open) == 0 || open[len(open)-1] != pairs[c] {
				return fmt.Errorf("%q at byte %d closes nothing", c, i)
			}
			open = open[:len(open)-1]
		case c == 'a' && word(src, i) == "any" && !strings.HasPrefix(src[i+3:], ":") && !strings.HasPrefix(src[i+3:], "?:"):
			return fmt.Errorf("any at byte %d", i)
		case c < ' ' && c != '\n' || c >= 0x80:
			return fmt.Errorf("byte %#x at %d outside strings and comments", c, i)
		}
	}
	if len(open) > 0 {
		return errors.New("brackets stay open: " + string(open))
	}
	return nil
}

// word is the identifier that begins at i, or "" within one.
func word(src string, i int) string {
	isPart := func(c byte) bool {
		return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	if i > 0 && isPart(src[i-1]) {
		return ""
	}
	end := i
	for end < len(src) && isPart(src[end]) {
		end++
	}
	return src[i:end]
}

// loneTag is a documentation tag in a comment that we did not write.
func loneTag(comment string) string {
	for line := range strings.SplitSeq(comment, "\n") {
		line = strings.TrimLeft(line, " */")
		if strings.HasPrefix(line, "@") && line != "@deprecated" && !strings.HasPrefix(line, "@deprecated ") {
			return line
		}
	}
	return ""
}
