package script

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// stackLine matches the lines of V8's stacks in any text, also where the text is
// JSON: those of the prelude, and those of the script with their positions. Other
// text may name a file like ours, and stays as it is.
var stackLine = regexp.MustCompile(`(\n|\\n)( +at (?:[^\n\\"()]{0,200} \()?(?:async )?)(?:` +
	`codemode:[^\n\\")]*\)?|(` + regexp.QuoteMeta(Origin) + `):(\d+):(\d+))`)

// maxRewritten bounds the lines that are led back in one text: each costs a walk
// over the source.
const maxRewritten = 200

// Rewrite leads the positions of stacks in a text that the script made, such as
// what it logs, back to the author's, and leaves out the lines that are ours.
func (p *Prepared) Rewrite(text string) string {
	if !strings.Contains(text, " at ") || !strings.Contains(text, Origin+":") && !strings.Contains(text, "codemode:") {
		return text
	}
	var out strings.Builder
	done := 0
	for _, m := range stackLine.FindAllStringSubmatchIndex(text, maxRewritten) {
		out.WriteString(text[done:m[0]])
		if done = m[1]; m[6] < 0 {
			continue
		}
		line, _ := strconv.Atoi(text[m[8]:m[9]])
		column, _ := strconv.Atoi(text[m[10]:m[11]])
		line, column = position(p.source, p.author(line, column))
		fmt.Fprintf(&out, "%s%s:%d:%d", text[m[0]:m[6]], Origin, line, column)
	}
	return out.String() + text[done:]
}

// Position is where an exception came from, in the author's lines.
type Position struct {
	Line, Column int
	Excerpt      string
	// Stack holds the author's frames only.
	Stack string
}

// frame matches the end of one line of a V8 stack that lies in the script.
var frame = regexp.MustCompile(`^\s+at (?:(.*) \(|async )?` + regexp.QuoteMeta(Origin) + `:(\d+):(\d+)\)?$`)

// maxFrames bounds a stack that is passed on.
const maxFrames = 10

// Locate reads a V8 stack. A stack without the author's frames gives the zero
// Position. For a name that is not defined V8 gives the place of the statement:
// the name's own place follows in the same line.
func (p *Prepared) Locate(stack, name string) Position {
	var pos Position
	var frames []string
	for text := range strings.Lines(stack) {
		m := frame.FindStringSubmatch(strings.TrimRight(text, "\n"))
		if m == nil {
			continue
		}
		line, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		column, err := strconv.Atoi(m[3])
		if err != nil {
			continue // no frame of V8's: the script wrote it
		}
		line, column = position(p.source, p.author(line, column))
		if pos.Line == 0 {
			column += ahead(p.source, line, column, name)
			pos.Line, pos.Column = line, column
		}
		if len(frames) < maxFrames {
			where := fmt.Sprintf("%d:%d", line, column)
			if name := strings.TrimPrefix(m[1], "async "); name != "" {
				where = name + " (" + where + ")"
			}
			frames = append(frames, "at "+where)
		}
	}
	pos.Excerpt = excerpt(p.source, pos.Line, pos.Column)
	pos.Stack = strings.Join(frames, "\n")
	return pos
}

// ahead is how many characters behind a position the next word is that is the
// name; 0 when the line has none, or there is no name.
func ahead(source string, line, column int, name string) int {
	if name == "" {
		return 0
	}
	rest := []rune(source[offsetAt(source, line, 1):])
	rest = rest[min(column-1, len(rest)):]
	word := []rune(name)
	for i := 0; i < len(rest) && rest[i] != '\n' && rest[i] != '\r'; i++ {
		if len(rest) < i+len(word) {
			return 0
		}
		if slices.Equal(rest[i:i+len(word)], word) &&
			(i == 0 || !isWordRune(rest[i-1]) && rest[i-1] != '.') && (len(rest) == i+len(word) || !isWordRune(rest[i+len(word)])) {
			return i
		}
	}
	return 0
}

func isWordRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
