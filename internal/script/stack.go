package script

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// place matches a position of the script in any text.
var place = regexp.MustCompile(regexp.QuoteMeta(Origin) + `:(\d+):(\d+)`)

// Rewrite leads the positions in a text that the script made, such as a stack
// that it logs, back to the author's.
func (p *Prepared) Rewrite(text string) string {
	if !strings.Contains(text, Origin+":") {
		return text
	}
	return place.ReplaceAllStringFunc(text, func(found string) string {
		m := place.FindStringSubmatch(found)
		line, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		line, column = position(p.source, p.author(line, column))
		return fmt.Sprintf("%s:%d:%d", Origin, line, column)
	})
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
// Position.
func (p *Prepared) Locate(stack string) Position {
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
