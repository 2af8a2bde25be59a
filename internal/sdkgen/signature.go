package sdkgen

import (
	"fmt"
	"slices"
	"strings"

	"codemode-mcp/internal/catalog"
)

// detail is how much of a type a signature shows.
type detail struct {
	// depth is how many objects within one another are shown; deeper ones are
	// "object".
	depth int
	// enum is how many members of a union are shown.
	enum int
	// optional says how optional properties are shown.
	optional optionals
	// names, when it is not zero, is how many of an object's properties are shown, and
	// only how they are called.
	names int
}

type optionals uint8

const (
	optionalTyped optionals = iota
	optionalNamed
	optionalCounted
)

// details are tried in turn until the signature fits: of a call's answer the
// types are given up first and the names of its keys late, then what the call may
// leave out.
var details = [...]struct{ args, result detail }{
	{typed, typed},
	{typed, flat},
	{typed, deep},
	{typed, keys},
	{detail{1, signatureEnum, optionalTyped, 0}, keys},
	{detail{1, 3, optionalTyped, 0}, keys},
	{detail{1, 3, optionalNamed, 0}, keys},
	{detail{1, 3, optionalCounted, 0}, deep},
	{detail{1, 3, optionalCounted, 0}, peek},
	{detail{1, 3, optionalCounted, 0}, keys},
	{detail{1, 3, optionalNamed, 0}, some},
	{detail{1, 3, optionalCounted, 0}, some},
	{detail{1, 3, optionalCounted, 0}, none},
	{few, some},
	{few, none},
	{none, none},
}

var (
	typed = detail{signatureDepth, signatureEnum, optionalTyped, 0}
	flat  = detail{1, 3, optionalTyped, 0}
	deep  = detail{2, 1, optionalTyped, 5}
	peek  = detail{2, 1, optionalTyped, 3}
	keys  = detail{1, 1, optionalTyped, 8}
	some  = detail{1, 1, optionalTyped, 3}
	few   = detail{1, 1, optionalTyped, 6}
	none  = detail{0, 1, optionalCounted, 0}
)

// Signature renders a tool on one line of at most maxLen bytes, such as
//
//	read_file(args: { path: string; startLine?: number }): Promise<{ text: string }>
//
// Deep objects, long unions and, where room is short, optional arguments are
// summarised. It is meant to be read, not compiled.
func Signature(t *catalog.Tool, maxLen int) string { return SignatureWith(t, maxLen, "") }

// SignatureWith is [Signature] for a tool whose result was observed: that is its
// type when its owner gave none, as long as there is room.
func SignatureWith(t *catalog.Tool, maxLen int, observed string) string {
	maxLen = max(maxLen, minSignature)
	pick := newNamer().pick
	args, root := input(t, pick)
	var result *typ
	if given(t.OutputSchema) {
		result = output(t, pick)[0].typ
	}
	name := key(t.Name)
	if name != t.Name {
		name = "[" + name + "]"
	}
	sign := ": "
	if !args.needed(root) {
		sign = "?: "
	}
	nested := result != nil && holdsNested(result)
	for _, d := range details {
		if d.result.names > 0 && d.result.depth > 1 && !nested { // keys says more
			continue
		}
		in, ok := brief(args.decls[0].typ, d.args, maxLen)
		if !ok {
			continue
		}
		out := "unknown"
		if result == nil && observed != "" && d.result != none {
			out = observed
		}
		if result != nil {
			if out, ok = brief(result, d.result, maxLen); !ok {
				continue
			}
		}
		s := name + "(args" + sign + in + "): Promise<" + out + ">"
		if in == "{}" || saysNothing(root) {
			s = name + "(): Promise<" + out + ">"
		}
		if len(s) <= maxLen {
			return s
		}
	}
	return clipLine(name+"(args"+sign+"object)", maxLen)
}

// saysNothing reports whether a tool's arguments have no names: that is how a
// tool without any is described, whatever else it would accept.
func saysNothing(root *node) bool {
	if root == nil || root.form != formObject {
		return true
	}
	for _, kw := range root.keys {
		if props := root.get(kw); kw == "properties" && len(props.keys) == 0 {
			continue
		}
		if impliedBy[kw] == kindObject && !root.isFalse(kw) || kw == "const" || kw == "enum" {
			return false
		}
	}
	return !combines(root)
}

// summary writes types in short.
type summary struct {
	printer
	detail
}

// brief is a type in short, or false when even that is longer than limit.
func brief(t *typ, d detail, limit int) (string, bool) {
	s := summary{printer{limit: limit}, d}
	s.typ(t, 0)
	return s.b.String(), !s.over
}

// typ writes one type; depth is how many objects it lies in. Named types are
// shown in place, which ends because a named type holds itself only within an
// object, an array or a tuple, and each of those counts.
func (s *summary) typ(t *typ, depth int) {
	if s.over {
		return
	}
	switch t.op {
	case opRef:
		s.typ(t.decl.typ, depth)
	case opArray:
		s.array(t.of[0], depth)
	case opTuple:
		s.tuple(t, depth)
	case opObject:
		s.object(t, depth)
	case opUnion:
		s.union(t, depth)
	case opBoth:
		for i, m := range t.of {
			if i > 0 {
				s.write(" & ")
			}
			s.group(m, depth)
		}
	default:
		s.write(t.text)
	}
}

// array writes an array of some type. An object in it lies no deeper than the
// array.
func (s *summary) array(of *typ, depth int) {
	for of.op == opRef {
		of = of.decl.typ
	}
	switch {
	case of.op == opObject:
		s.typ(of, depth)
	case depth > s.depth:
		s.write("unknown")
	case of.op >= opUnion:
		s.write("(")
		s.typ(of, depth+1)
		s.write(")")
	default:
		s.typ(of, depth+1)
	}
	s.write("[]")
}

// group writes a type, in parentheses when it is a union.
func (s *summary) group(t *typ, depth int) {
	for t.op == opRef {
		t = t.decl.typ
	}
	if t.op != opUnion {
		s.typ(t, depth)
		return
	}
	s.write("(")
	s.typ(t, depth)
	s.write(")")
}

func (s *summary) tuple(t *typ, depth int) {
	if depth > s.depth {
		s.write("unknown[]")
		return
	}
	s.write("[")
	for i, e := range t.of {
		if i > 0 {
			s.write(", ")
		}
		if i == s.enum {
			s.write(fmt.Sprintf("…%d more", len(t.of)-i))
			break
		}
		s.group(e, depth+1)
		if i >= t.least {
			s.write("?")
		}
	}
	s.write("]")
}

func (s *summary) union(t *typ, depth int) {
	for i, m := range t.of {
		if i > 0 {
			s.write(" | ")
		}
		if i == s.enum && len(t.of) > i+1 {
			s.write(fmt.Sprintf("…%d more", len(t.of)-i))
			return
		}
		s.typ(m, depth)
	}
}

func (s *summary) object(t *typ, depth int) {
	if len(t.props) == 0 && t.index != nil && t.index.isKeyword("never") {
		s.write("{}")
		return
	}
	if depth >= s.depth {
		s.write("object")
		return
	}
	if s.names > 0 {
		s.keyNames(t, depth)
		return
	}
	var names []string
	sep := "{ "
	for _, f := range t.props {
		if f.optional && s.optional != optionalTyped {
			names = append(names, key(f.name))
			continue
		}
		s.write(sep + member(f))
		s.typ(f.typ, depth+1)
		sep = "; "
	}
	switch {
	case len(names) == 0:
	case s.optional == optionalNamed:
		s.write(sep + "/* optional: " + inline(strings.Join(names, ", "), s.limit) + " */")
		sep = "; "
	default:
		s.write(fmt.Sprintf("%s/* %d optional */", sep, len(names)))
		sep = "; "
	}
	if t.index != nil {
		s.write(sep + "[key: string]: ")
		s.typ(t.index, depth+1)
		sep = "; "
	}
	if sep == "{ " {
		s.write("{}")
		return
	}
	s.write(" }")
}

// keyNames writes an object by the names of its properties, and where there is depth
// for it, what it holds of objects by theirs.
func (s *summary) keyNames(t *typ, depth int) {
	if len(t.props) == 0 {
		s.write("object")
		return
	}
	props := slices.Clone(t.props)
	limit := s.names
	if depth+1 < s.depth { // what lies within takes room
		limit--
	}
	if len(props) > limit { // what must be there comes first
		slices.SortStableFunc(props, func(a, b prop) int { return order(a) - order(b) })
	}
	sep := "{ "
	for i, f := range props {
		if i == limit && len(props) > i+1 {
			s.write(fmt.Sprintf(", …%d more", len(props)-i))
			break
		}
		s.write(sep + key(f.name))
		if f.optional {
			s.write("?")
		}
		if depth+1 < s.depth && holdsKeys(f.typ) {
			s.write(": ")
			s.typ(f.typ, depth+1)
		}
		sep = ", "
	}
	s.write(" }")
}

// holdsNested reports whether an object, or those of a list, hold objects with names.
func holdsNested(t *typ) bool {
	for range signatureDepth + 1 {
		switch t.op {
		case opRef:
			t = t.decl.typ
		case opArray:
			t = t.of[0]
		}
	}
	return t.op == opObject && slices.ContainsFunc(t.props, func(f prop) bool { return holdsKeys(f.typ) })
}

// holdsKeys reports whether a type is an object with names, or a list of such.
func holdsKeys(t *typ) bool {
	list := false
	for range signatureDepth + 8 { // a reference may lead to a reference
		switch {
		case t.op == opRef:
			t = t.decl.typ
		case t.op == opArray && !list:
			t, list = t.of[0], true
		case t.op == opObject && len(t.props) > 0:
			return true
		default:
			return false
		}
	}
	return false
}

func order(f prop) int {
	if f.optional {
		return 1
	}
	return 0
}
