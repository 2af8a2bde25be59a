package sdkgen

import (
	"strings"
	"unicode/utf8"
)

// printer writes types as text. With a limit it stops soon after that many
// bytes and says so.
type printer struct {
	b      strings.Builder
	indent string
	// limit is how many bytes may be written, 0 for any number.
	limit int
	over  bool
}

// compact is a type on one line, or false when that is longer than limit bytes
// or would lose a comment that needs lines of its own.
func compact(t *typ, limit int) (string, bool) {
	p := printer{limit: limit}
	p.line(t)
	return p.b.String(), !p.over
}

func (p *printer) write(s string) {
	if p.over {
		return
	}
	if p.limit > 0 && p.b.Len()+len(s) > p.limit {
		p.over = true
		return
	}
	p.b.WriteString(s)
}

// line writes a type on one line.
func (p *printer) line(t *typ) {
	if p.over {
		return
	}
	if t.doc != "" {
		p.write("/* " + t.doc + " */ ")
	}
	switch t.op {
	case opKeyword, opLiteral:
		p.write(t.text)
	case opRef:
		p.write(t.decl.name)
	case opArray:
		p.grouped(t.of[0], p.line)
		p.write("[]")
	case opTuple:
		p.tuple(t, p.line)
	case opObject:
		p.lineObject(t)
	case opUnion:
		p.joined(t.of, " | ", p.line)
	case opBoth:
		p.joined(t.of, " & ", p.line)
	}
	p.reason(t)
}

// reason writes the comment after a type.
func (p *printer) reason(t *typ) {
	if t.why != "" {
		p.write(" " + comment(t.why))
	}
}

// joined writes the members of a union or an intersection.
func (p *printer) joined(of []*typ, sep string, each func(*typ)) {
	for i, m := range of {
		if i > 0 {
			p.write(sep)
		}
		if m.op == opUnion && sep == " & " || m.why != "" && m.op >= opUnion {
			p.grouped(m, each)
			continue
		}
		each(m)
	}
}

// grouped puts a type in parentheses when it has an operator or a comment.
func (p *printer) grouped(t *typ, each func(*typ)) {
	if t.op < opUnion && t.doc == "" && t.why == "" {
		each(t)
		return
	}
	p.write("(")
	each(t)
	p.write(")")
}

// tuple writes the positions of a tuple, and the array that may follow.
func (p *printer) tuple(t *typ, each func(*typ)) {
	p.write("[")
	for i, e := range t.of {
		if i > 0 {
			p.write(", ")
		}
		if i >= t.least {
			p.grouped(e, each)
			p.write("?")
			continue
		}
		each(e)
	}
	if t.rest != nil {
		if len(t.of) > 0 {
			p.write(", ")
		}
		p.write("...")
		p.grouped(t.rest, each)
		p.write("[]")
	}
	p.write("]")
}

func (p *printer) lineObject(t *typ) {
	p.write("{")
	sep := " "
	for _, f := range t.props {
		if len(f.doc) > 0 {
			p.over = true
			return
		}
		p.write(sep + member(f))
		p.line(f.typ)
		sep = "; "
	}
	if t.index != nil {
		p.write(sep + "[key: string]: ")
		p.line(t.index)
	}
	p.write(" }")
}

// member is a property up to its type.
func member(f prop) string {
	if f.optional {
		return key(f.name) + "?: "
	}
	return key(f.name) + ": "
}

// full writes a type over as many lines as it needs. Its text is whole: nothing
// is left out.
func (p *printer) full(t *typ) {
	if t.doc != "" {
		p.write("/* " + t.doc + " */ ")
	}
	bare := *t
	bare.doc, bare.why = "", ""
	if s, ok := compact(&bare, lineWidth); ok {
		p.write(s)
	} else {
		p.lines(&bare)
	}
	p.reason(t)
}

// lines writes a type that one line can't hold.
func (p *printer) lines(t *typ) {
	switch t.op {
	case opArray:
		p.grouped(t.of[0], p.full)
		p.write("[]")
	case opTuple:
		p.tuple(t, p.full)
	case opObject:
		p.object(t)
	case opUnion:
		p.joined(t.of, " | ", p.full)
	case opBoth:
		p.joined(t.of, " & ", p.full)
	default:
		p.line(t)
	}
}

// step is one level of indentation.
const step = "  "

func (p *printer) object(t *typ) {
	outer := p.indent
	p.indent += step
	p.write("{\n")
	for _, f := range t.props {
		p.write(docComment(f.doc, p.indent))
		p.write(p.indent + member(f))
		p.full(f.typ)
		p.write(";\n")
	}
	if t.index != nil {
		p.write(p.indent + "[key: string]: ")
		p.full(t.index)
		p.write(";\n")
	}
	p.indent = outer
	p.write(outer + "}")
}

// clipLine cuts a line after max bytes, at a character.
func clipLine(s string, max int) string {
	if len(s) <= max {
		return s
	}
	const mark = "…"
	cut := max - len(mark)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + mark
}
