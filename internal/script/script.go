// Package script prepares a script's source for V8 and leads every position back
// to the lines the author wrote.
//
// It owns the wrapper, the forms a script may have and the wording of syntax
// errors. It runs in the worker: its input is hostile. It must import no other
// package of this module, and no JavaScript engine.
package script

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Origin is the name of the script in V8's stacks.
const Origin = "script.js"

// The wrapper makes the source the body of an async arrow function, so that
// await and return work at the top level and "arguments" means the global. It
// stands on the first line: line numbers stay the author's.
const (
	opening = "async()=>{"
	closing = "\n}"
)

// SyntaxError is a source that can't run.
type SyntaxError struct {
	Message string
	Hint    string
	// Line and Column count from 1; 0 is unknown.
	Line, Column int
	// Excerpt is the source line with a caret under the column.
	Excerpt string
}

// Prepared is a script ready for V8.
type Prepared struct {
	// Code evaluates to the script's function.
	Code   string
	source string
}

// Prepare wraps the source.
func Prepare(source string) (Prepared, *SyntaxError) {
	p := Prepared{Code: opening + source + closing, source: source}
	if i := strings.IndexByte(source, 0); i >= 0 {
		line, column := position(source, i)
		return p, p.at("the script has a NUL character", `write \0 in a string instead`, line, column)
	}
	if strings.TrimSpace(source) == "" {
		return p, &SyntaxError{Message: "the script is empty", Hint: "send a program, such as: return await tools.list_directory({path: \".\"})"}
	}
	return p, nil
}

// Unbalanced is the error of a script that closes the function around it.
func (p Prepared) Unbalanced() *SyntaxError {
	return &SyntaxError{Message: "SyntaxError: the script closes a brace that it did not open",
		Hint: "send the body of one program; it may define functions and use await and return at the top level"}
}

// SyntaxError words V8's message for a source that does not compile.
func (p Prepared) SyntaxError(message, location string) *SyntaxError {
	line, column := 0, 0
	if rest, ok := strings.CutPrefix(location, Origin+":"); ok {
		l, c, _ := strings.Cut(rest, ":")
		line, _ = strconv.Atoi(l)
		column, _ = strconv.Atoi(c)
	}
	line, column = p.author(line, column)
	e := p.at(message, "", line, column)
	if strings.Contains(message, "Cannot use import statement") || strings.Contains(message, "Unexpected token 'export'") {
		e.Hint = "scripts have no modules: use the tools, and return the result"
	}
	return e
}

func (p Prepared) at(message, hint string, line, column int) *SyntaxError {
	return &SyntaxError{Message: message, Hint: hint, Line: line, Column: column, Excerpt: p.excerpt(line, column)}
}

// author turns a position in Code into one in the source. What lies in the
// wrapper's end is the end of the last line.
func (p Prepared) author(line, column int) (int, int) {
	if line == 1 {
		column = max(1, column-len(opening))
	}
	if last := strings.Count(p.source, "\n") + 1; line > last {
		tail := p.source[strings.LastIndexByte(p.source, '\n')+1:]
		return last, utf8.RuneCountInString(tail) + 1
	}
	return line, column
}

func position(source string, offset int) (line, column int) {
	line = strings.Count(source[:offset], "\n") + 1
	start := strings.LastIndexByte(source[:offset], '\n') + 1
	return line, utf8.RuneCountInString(source[start:offset]) + 1
}

// maxExcerpt is how much of a source line an excerpt shows, in characters.
const maxExcerpt = 120

// excerpt is the source line with a caret under the column. A long line is shown
// around the column.
func (p Prepared) excerpt(line, column int) string {
	if line < 1 {
		return ""
	}
	rest := p.source
	for range line - 1 {
		i := strings.IndexByte(rest, '\n')
		if i < 0 {
			return ""
		}
		rest = rest[i+1:]
	}
	text, _, _ := strings.Cut(rest, "\n")
	runes := []rune(strings.TrimSuffix(text, "\r"))
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
