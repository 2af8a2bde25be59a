package script

import (
	"encoding/json"
	"slices"
)

// outline is what the tree of a source says of its form. Its offsets are in
// UTF-16 units, as JavaScript counts.
type outline struct {
	// Form is "plain" (it returns by itself), "value" (the edits make it return),
	// "silent" (it can have no result), or a reason why it can't run: "empty",
	// "generator", "import", "export".
	Form  string `json:"form"`
	Edits []struct {
		At   int    `json:"at"`
		End  int    `json:"end"`
		Text string `json:"text"`
	} `json:"edits"`
	Call bool `json:"call"`
	// What names the imported module, or "functions" when several functions are
	// declared and none is called.
	What string `json:"what"`
	Pos  int    `json:"pos"`
	// Error is acorn's message for a source that does not parse.
	Error string `json:"error"`
}

const (
	emptyHint  = `send a program, such as: return await tools.list_directory({path: "."})`
	silentNote = "the script has no return and does not end in an expression: its result is null (end it with: return value)"
	unusedNote = "the script declares functions and calls none of them: its result is null (call one and return what it gives)"
)

// fromTree prepares a source through its syntax tree. The refusal is V8's of the
// plain source, nil if it compiles.
func (p Prepared) fromTree(engine Engine, t tokens, refusal *Refusal) (Prepared, *SyntaxError) {
	if t.deep { // acorn recurses too
		return p, p.tooDeep(t)
	}
	o, err := parse(engine, p.clean)
	switch {
	case err != nil:
		return p, &SyntaxError{Message: "the script can't be parsed: " + err.Error()}
	case o.Error == "":
		return p.shaped(engine, p.clean, o)
	case refusal != nil:
		return p.fromTypeScript(engine, t, refusal)
	case t.sure && !t.balanced: // it compiles, but not as the body of a function
		return p, p.unbalanced(o)
	}
	// V8 may know syntax that acorn does not.
	if refusal := p.compile(engine, p.clean, nil); refusal != nil {
		return p, p.refused(refusal)
	}
	p.Note = silentNote
	return p, nil
}

func parse(engine Engine, source string) (outline, error) {
	var o outline
	text, err := engine.Outline(source)
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal([]byte(text), &o)
}

// unbalanced is the error of a script that closes the function around it.
func (p *Prepared) unbalanced(o outline) *SyntaxError {
	return p.errorAt(offset16(p.clean, o.Pos), "SyntaxError: the script closes a bracket that it did not open",
		"send the body of one program; it may define functions and use await and return at the top level")
}

// shaped makes the edits of an outline and compiles.
func (p Prepared) shaped(engine Engine, body string, o outline) (Prepared, *SyntaxError) {
	at := p.lead(body, o.Pos)
	switch o.Form {
	case "empty":
		return p, &SyntaxError{Message: "the script has only comments", Hint: emptyHint}
	case "generator":
		return p, p.errorAt(at, "the script is a generator function: nothing would run it", "make it an async function")
	case "import":
		return p, p.errorAt(at, "SyntaxError: scripts can't import "+quoteModule(o.What), importHint)
	case "export":
		return p, p.errorAt(at, "SyntaxError: statements follow the export default", "put the export default last, or end the script with return")
	case "silent":
		p.Note = silentNote
		if o.What == "functions" {
			p.Note = unusedNote
		}
	}
	edits := make([]edit, 0, len(o.Edits))
	for _, e := range o.Edits {
		edits = append(edits, edit{at: offset16(body, e.At), end: offset16(body, e.End), text: e.Text})
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	p.Call = o.Call
	if refusal := p.compile(engine, body, edits); refusal != nil {
		return p, p.refused(refusal)
	}
	return p, nil
}

// lead leads an offset of a body, in UTF-16 units, to the source.
func (p *Prepared) lead(body string, units int) int {
	at := offset16(body, units)
	if p.ts != nil {
		at = p.ts.source(at)
	}
	return at
}
