package shape

import "strings"

// TypeScript writes the shape as a type on one line.
func (s *Shape) TypeScript() string {
	var b strings.Builder
	s.write(&b)
	return b.String()
}

func (s *Shape) write(b *strings.Builder) {
	if s == nil || s.unknown {
		b.WriteString("unknown")
		return
	}
	n := 0
	part := func(text string) {
		if n++; n > 1 {
			b.WriteString(" | ")
		}
		b.WriteString(text)
	}
	for _, k := range []struct {
		is   bool
		name string
	}{{s.text, "string"}, {s.number, "number"}, {s.boolean, "boolean"}} {
		if k.is {
			part(k.name)
		}
	}
	if s.array {
		part("")
		simple := s.elements.simple()
		if !simple {
			b.WriteString("(")
		}
		s.elements.write(b)
		if !simple {
			b.WriteString(")")
		}
		b.WriteString("[]")
	}
	if s.object {
		part("")
		s.writeObject(b)
	}
	if s.null {
		part("null")
	}
	if n == 0 {
		b.WriteString("unknown")
	}
}

// simple reports whether the type needs no parentheses before "[]".
func (s *Shape) simple() bool {
	if s == nil || s.unknown {
		return true
	}
	n := 0
	for _, is := range []bool{s.null, s.boolean, s.number, s.text, s.array, s.object} {
		if is {
			n++
		}
	}
	return n <= 1
}

func (s *Shape) writeObject(b *strings.Builder) {
	if s.record {
		b.WriteString("Record<string, ")
		s.values.write(b)
		b.WriteString(">")
		return
	}
	if len(s.fields) == 0 {
		b.WriteString("{}")
		return
	}
	sep := "{ "
	for _, f := range s.fields {
		b.WriteString(sep + f.name)
		if !f.always {
			b.WriteString("?")
		}
		b.WriteString(": ")
		f.shape.write(b)
		sep = "; "
	}
	b.WriteString(" }")
}
