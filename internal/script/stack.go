package script

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Place leads a position of V8, as "line:column", back to the author's. What is no
// position comes back as it is.
func (p *Prepared) Place(at string) string {
	first, second, _ := strings.Cut(at, ":")
	line, err := strconv.Atoi(first)
	if err != nil {
		return at
	}
	column, err := strconv.Atoi(second)
	if err != nil {
		return at
	}
	line, column = position(p.source, p.author(line, column))
	return fmt.Sprintf("%d:%d", line, column)
}

// Position is where an exception came from, in the author's lines.
type Position struct {
	Line, Column int
	Excerpt      string
	// Stack holds the author's frames only.
	Stack string
}

// frame matches one line of a stack that lies in the script.
var frame = regexp.MustCompile(`^\s+at (?:(.*) \(|async )?(` + regexp.QuoteMeta(Origin) + `|` + regexp.QuoteMeta(Shown) + `):(\d+):(\d+)\)?$`)

// maxFrames bounds a stack that is passed on.
const maxFrames = 10

// Locate reads a stack. Its positions are the author's already, but where the script
// had V8 write it in another way. A stack without the author's frames gives the zero
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
		line, err := strconv.Atoi(m[3])
		if err != nil {
			continue
		}
		column, err := strconv.Atoi(m[4])
		if err != nil {
			continue // no frame of V8's: the script wrote it
		}
		if m[2] == Origin {
			line, column = position(p.source, p.author(line, column))
		} else { // the script may have written any number
			line, column = position(p.source, offsetOf(p.source, line, column))
		}
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

// declaration matches what gives a name to something.
var declaration = regexp.MustCompile(`\b(?:const|let|var|function|class)\b[\s*]*([\pL_$][\pL\d_$]*)`)

// maxDeclared bounds the names that are looked at for a hint.
const maxDeclared = 500

// Declared are names that the script declares, for hints.
func (p *Prepared) Declared() []string {
	var names []string
	for _, m := range declaration.FindAllStringSubmatch(p.clean, maxDeclared) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}
