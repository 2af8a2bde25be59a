package sdkgen

import (
	"fmt"
	"slices"
)

// op is what a type is made of.
type op uint8

const (
	opKeyword op = iota // string, unknown, never ...
	opLiteral           // "a", 1, true
	opRef               // the name of a decl
	opArray             // of[0][]
	opTuple             // [of..., ...rest[]]
	opObject            // { props; [key: string]: index }
	opUnion             // of[0] | of[1]
	opBoth              // of[0] & of[1]
)

// kinds is a set of kinds of JSON values.
type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindBoolean
	kindNumber
	kindString
	kindArray
	kindObject

	kindAny = kindNull | kindBoolean | kindNumber | kindString | kindArray | kindObject
)

// typ is one TypeScript type.
type typ struct {
	op   op
	text string // keyword or literal
	// kinds is a superset of the kinds of values the type admits.
	kinds kinds
	// why is a comment after the type: what could not be said in it.
	why string
	// doc is a comment before the type.
	doc   string
	of    []*typ
	props []prop
	// index is the type of an object's other keys, or nil.
	index *typ
	// least is how many positions of a tuple must be there.
	least int
	// rest is the type of what follows a tuple's positions, or nil.
	rest *typ
	decl *decl
}

// prop is one property of an object type.
type prop struct {
	name     string
	optional bool
	doc      []string
	typ      *typ
}

// decl is a named type.
type decl struct {
	name string
	doc  []string
	node *node
	// mask is the kinds its values may have, as its surroundings say.
	mask kinds
	// kinds is a superset of the kinds its schema allows.
	kinds kinds
	typ   *typ
	// state is for walks over the declarations.
	state  walkState
	width  int
	height int
}

type walkState uint8

const (
	unseen walkState = iota
	entered
	left
)

func keyword(name string, k kinds) *typ { return &typ{op: opKeyword, text: name, kinds: k} }

// unknown is the type of what is not known, with the reason if there is one.
func unknown(why string) *typ { return &typ{op: opKeyword, text: "unknown", kinds: kindAny, why: why} }

func never(why string) *typ { return &typ{op: opKeyword, text: "never", why: why} }

func literal(text string, k kinds) *typ { return &typ{op: opLiteral, text: text, kinds: k} }

// record is an object whose keys all have one type.
func record(of *typ) *typ { return &typ{op: opObject, index: of, kinds: kindObject} }

func (t *typ) isKeyword(name string) bool { return t.op == opKeyword && t.text == name }

// isOpen reports whether t says no more than what kind a value has.
func (t *typ) isOpen() bool {
	switch t.op {
	case opKeyword:
		return t.text != "never"
	case opArray:
		return t.of[0].isKeyword("unknown") && t.of[0].why == ""
	case opObject:
		return len(t.props) == 0 && t.index != nil && t.index.isKeyword("unknown") && t.index.why == ""
	}
	return false
}

// maxSameChars is how long types may be that are compared with one another.
const maxSameChars = 200

// same is a text that equal types share, or "" for a type that is too long to
// be worth comparing.
func (t *typ) same() string {
	switch {
	case t.doc != "":
		return ""
	case t.op == opLiteral:
		return t.text
	}
	s, ok := compact(t, maxSameChars)
	if !ok {
		return ""
	}
	return s
}

// distinct drops every type that equals an earlier one.
func distinct(list []*typ) []*typ {
	if len(list) < 2 {
		return list
	}
	seen := make(map[string]bool, len(list))
	out := make([]*typ, 0, len(list))
	for _, t := range list {
		s := t.same()
		if s != "" && seen[s] {
			continue
		}
		seen[s] = true
		out = append(out, t)
	}
	return out
}

// union is a type that admits what any of the list admits.
func union(list []*typ) *typ {
	var flat []*typ
	empty := never("")
	for _, t := range list {
		switch {
		case t.isKeyword("unknown"):
			return &typ{op: opKeyword, text: "unknown", kinds: kindAny, why: t.why}
		case t.isKeyword("never"):
			if empty.why == "" {
				empty.why = t.why
			}
		case t.op == opUnion && t.doc == "" && t.why == "":
			flat = append(flat, t.of...)
		default:
			flat = append(flat, t)
		}
	}
	flat = distinct(flat)
	switch {
	case len(flat) == 0:
		return empty
	case len(flat) == 1:
		return flat[0]
	}
	u := &typ{op: opUnion, of: flat}
	for _, t := range flat {
		u.kinds |= t.kinds
	}
	if len(flat) > maxUnion {
		return byKinds(u.kinds, fmt.Sprintf("one of %d alternatives", len(flat)))
	}
	return u
}

// both is a type that admits what all of the list admit. A part that only
// repeats what kind of value the others admit is left out.
func both(list []*typ) *typ {
	var flat []*typ
	why := ""
	for _, t := range list {
		switch {
		case t.isKeyword("unknown"):
			if why == "" {
				why = t.why
			}
		case t.isKeyword("never"):
			return t
		case t.op == opBoth && t.doc == "" && t.why == "":
			flat = append(flat, t.of...)
		default:
			flat = append(flat, t)
		}
	}
	flat = dropOpen(distinct(flat))
	switch {
	case len(flat) == 0:
		return unknown(why)
	case len(flat) == 1 && (why == "" || flat[0].why != ""):
		return flat[0]
	case len(flat) == 1:
		one := *flat[0]
		one.why = why
		return &one
	}
	if len(flat) > maxBoth {
		why = fmt.Sprintf("and %d more parts", len(flat)-maxBoth)
		flat = flat[:maxBoth]
	}
	t := &typ{op: opBoth, of: flat, kinds: kindAny, why: why}
	for _, part := range flat {
		t.kinds &= part.kinds
	}
	return t
}

// dropOpen leaves out each open type that another part already implies.
func dropOpen(list []*typ) []*typ {
	for i := 0; i < len(list) && len(list) > 1; {
		implied := list[i].isOpen() && slices.ContainsFunc(list, func(o *typ) bool {
			return o != list[i] && o.kinds&^list[i].kinds == 0
		})
		if !implied {
			i++
			continue
		}
		list = slices.Delete(list, i, i+1)
	}
	return list
}

// byKinds is the type of every value of some kinds.
func byKinds(k kinds, why string) *typ {
	var list []*typ
	for _, e := range kindTypes {
		if k&e.kind == 0 {
			continue
		}
		switch e.kind {
		case kindArray:
			list = append(list, &typ{op: opArray, of: []*typ{unknown("")}, kinds: kindArray})
		case kindObject:
			list = append(list, record(unknown("")))
		default:
			list = append(list, keyword(e.ts, e.kind))
		}
	}
	if k == kindAny {
		return unknown(why)
	}
	t := *union(list)
	t.why = why
	return &t
}

// kindTypes names the kinds in the order in which they are written.
var kindTypes = [...]struct {
	kind     kinds
	json, ts string
}{
	{kindString, "string", "string"},
	{kindNumber, "number", "number"},
	{kindBoolean, "boolean", "boolean"},
	{kindArray, "array", ""},
	{kindObject, "object", ""},
	{kindNull, "null", "null"},
}
