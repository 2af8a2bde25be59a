// Package script prepares a script's source for V8 and leads every position back
// to the lines the author wrote.
//
// It owns the forms a script may have, the wrapper, the road from TypeScript and
// the wording of syntax errors. It runs in the worker: its input is hostile. It
// must import no other package of this module, and no JavaScript engine: what it
// needs of one it asks for through [Engine].
//
// # The roads
//
// A plain body with a return is recognised from its tokens and compiled as it
// is. So is one whose last statement begins for certain: put into "return (...)",
// V8 accepts it only if it is an expression. Everything else takes the syntax tree of acorn, which runs in the isolate
// ([Outline]); what is no JavaScript goes through esbuild as TypeScript first.
// Text alone decides nothing but where a Markdown fence begins.
package script

import (
	_ "embed"
	"strings"
)

// Origin is V8's name for the script. Nobody writes it, so that a text with it has
// V8's positions, and one with [Shown] the author's.
const Origin = "codemode:script"

// Shown is the script's name in the stacks that an author sees.
const Shown = "script.js"

// Outline is the source of a JavaScript function: it takes acorn and gives a
// function from a source to the JSON of its [outline].
//
//go:embed js/outline.js
var Outline string

// The wrapper makes the source the body of an async arrow function, so that
// await and return work at the top level and "arguments" means the global. It
// stands on the first line: line numbers stay the author's.
const (
	opening = "async()=>{"
	closing = "\n}"
)

// Engine is what Prepare asks of the JavaScript engine.
type Engine interface {
	// Compile compiles code as a script and keeps it. Nil means that it compiles.
	Compile(code string) *Refusal
	// Outline calls the function of [Outline] on a source.
	Outline(source string) (json string, err error)
}

// Refusal is why the engine does not compile a code.
type Refusal struct {
	Message string
	// Line and Column count from 1, the column in UTF-16 units; 0 is unknown.
	Line, Column int
}

// SyntaxError is a source that can't run.
type SyntaxError struct {
	Message string
	Hint    string
	// Line and Column count from 1, the column in characters; 0 is unknown.
	Line, Column int
	// Excerpt is the source line with a caret under the column.
	Excerpt string
}

// Prepared is a script ready for V8: the last code that its Engine compiled.
type Prepared struct {
	// Code evaluates to the script's function.
	Code string
	// Call says that a result that is a function is to be called with args: the
	// script was only a function.
	Call bool
	// Note is a warning for a script that can have no result. May be empty.
	Note string

	source string // as sent, without a byte order mark
	clean  string // source with fences and hashbang made harmless, same offsets
	body   string // what is wrapped: clean, or JavaScript made of it
	edits  []edit // made in body, by ascending offset
	ts     *typescript
}

// bom is a byte order mark.
const bom = "\ufeff"

// Prepare prepares a source. On success the engine has compiled Code.
func Prepare(source string, engine Engine) (Prepared, *SyntaxError) {
	return prepare(source, engine, false)
}

// prepare is Prepare; a source that was taken out of its prose is not looked at for
// prose again.
func prepare(source string, engine Engine, taken bool) (Prepared, *SyntaxError) {
	p := Prepared{source: strings.TrimPrefix(source, bom)}
	p.clean = p.source
	if i := strings.IndexByte(p.source, 0); i >= 0 {
		return p, p.errorAt(i, "the script has a NUL character", `write \0 in a string instead`)
	}
	if strings.TrimSpace(p.source) == "" {
		return p, &SyntaxError{Message: "the script is empty", Hint: emptyHint}
	}
	if startsFenced(p.source) {
		if err := p.unfence(); err != nil {
			return p, err
		}
	}
	p.hideHashbang()
	t := scan(p.clean)
	if t.tagged && !taken && !startsFenced(p.source) {
		if err := p.unfence(); err != nil {
			return p, err
		}
		return prepare(p.clean, engine, true)
	}
	if t.sure && t.balanced && t.typeCall && !t.deep {
		if q, err := p.fromTypeScript(engine, t, &Refusal{}); err == nil {
			return q, nil
		}
	}
	if t.sure && t.balanced && t.returns {
		refusal := p.compile(engine, p.clean, nil)
		if refusal == nil {
			return p, nil
		}
		return p.fromTypeScript(engine, t, refusal)
	}
	if p.returnTail(engine, p.clean, t) {
		return p, nil
	}
	refusal := p.compile(engine, p.clean, nil)
	switch {
	case refusal != nil && p.returnWhole(engine, t):
		return p, nil
	case refusal != nil && !maybeModule(refusal) && !t.generator: // a generator is an expression that only the tree knows
		if code, ok := p.inProse(); ok && !taken && (t.fence || !t.sure) {
			return prepare(code, engine, true)
		}
		return p.fromTypeScript(engine, t, refusal)
	case refusal == nil && (t.deep || t.sure && t.balanced && t.mute):
		p.Note = silentNote
		return p, nil
	}
	return p.fromTree(engine, t, refusal)
}

// returnTail compiles a body so that its last statement is returned, if that is
// an expression.
func (p *Prepared) returnTail(engine Engine, body string, t tokens) bool {
	if !t.sure || !t.balanced || t.tailEnd == 0 {
		return false
	}
	p.Call = p.compile(engine, body, returnOf(t.tail, t.tailEnd)) == nil
	return p.Call
}

// returnWhole compiles a source that is one expression, where V8 does not take it
// for a statement: an anonymous function, an object literal.
func (p *Prepared) returnWhole(engine Engine, t tokens) bool {
	if !t.sure || !t.balanced || t.generator || t.end <= t.begin {
		return false
	}
	p.Call = p.compile(engine, p.clean, returnOf(t.begin, t.end)) == nil
	return p.Call
}

// returnOf are the edits that return an expression.
func returnOf(from, to int) []edit {
	return []edit{{at: from, end: from, text: "return ("}, {at: to, end: to, text: ")"}}
}

// maybeModule reports whether V8 refused what only modules have.
func maybeModule(r *Refusal) bool {
	return strings.Contains(r.Message, "export") || strings.Contains(r.Message, "import")
}

// inProse takes the code out of a source that is prose around one fence. The code
// keeps its lines and columns.
func (p *Prepared) inProse() (string, bool) {
	code, other, blocks := fences(p.clean)
	return code, blocks == 1 && other == "" && !startsFenced(p.source)
}

// hideHashbang turns a first line "#!..." into a comment of the same length.
func (p *Prepared) hideHashbang() {
	if strings.HasPrefix(p.clean, "#!") {
		p.clean = "//" + p.clean[2:]
	}
}

// unfence takes the code out of its Markdown fence.
func (p *Prepared) unfence() *SyntaxError {
	code, other, blocks := fences(p.source)
	switch {
	case other != "":
		return p.errorAt(strings.Index(p.source, other), "the script is in a fence of the language "+other,
			"send JavaScript or TypeScript")
	case blocks > 1:
		return p.errorAt(0, "the script has more than one fenced block", "send one program, without fences or in one fence")
	}
	p.clean = code
	return nil
}

// compile wraps a body with edits and asks the engine for it.
func (p *Prepared) compile(engine Engine, body string, edits []edit) *Refusal {
	p.body, p.edits = body, edits
	p.Code = opening + apply(body, edits) + closing
	return engine.Compile(p.Code)
}

// errorAt is an error at a byte offset of the source.
func (p *Prepared) errorAt(offset int, message, hint string) *SyntaxError {
	line, column := position(p.source, offset)
	return &SyntaxError{Message: message, Hint: hint, Line: line, Column: column, Excerpt: excerpt(p.source, line, column)}
}

// author turns a position of V8 in Code into an offset of the source.
func (p *Prepared) author(line, column int) int {
	at := unapply(p.edits, offsetAt(p.Code, line, column)-len(opening))
	at = min(max(at, 0), len(p.body))
	if p.ts != nil {
		at = p.ts.source(at)
	}
	return min(max(at, 0), len(p.source))
}
