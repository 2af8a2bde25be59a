package sdkgen

import (
	"fmt"
	"slices"
)

// breakCycles replaces each use of a type that would make it stand for itself:
// TypeScript accepts a cycle only through a property or an element. It also cuts
// chains of names too long for the compiler.
func breakCycles(decls []*decl) {
	for _, d := range decls {
		d.state = unseen
	}
	for _, d := range decls {
		visit(d)
	}
}

func visit(d *decl) {
	if d.state == unseen {
		d.state = entered
		d.height = 1 + visitType(d.typ, false)
		d.state = left
	}
}

// visitType looks at the types that TypeScript needs at once to know t, and
// gives the length of the longest chain of names among them. An object's parts
// are looked at later, and so are the elements of an array or tuple with a name
// among them, unless eager: within an optional or rest element of a tuple the
// compiler looks at once.
func visitType(t *typ, eager bool) int {
	switch t.op {
	case opUnion, opBoth:
		return visitAll(t.of, eager)
	case opRef:
		return visitRef(t)
	case opArray:
		if !eager && hasName(t.of[0]) {
			return 0
		}
		return visitType(t.of[0], eager)
	case opTuple:
		return visitTuple(t, eager)
	}
	return 0
}

func visitAll(list []*typ, eager bool) int {
	height := 0
	for _, t := range list {
		height = max(height, visitType(t, eager))
	}
	return height
}

func visitTuple(t *typ, eager bool) int {
	if !eager && (slices.ContainsFunc(t.of, hasName) || t.rest != nil && hasName(t.rest)) {
		return 0
	}
	least := min(t.least, len(t.of))
	height := max(visitAll(t.of[:least], eager), visitAll(t.of[least:], true))
	if t.rest != nil {
		height = max(height, visitType(t.rest, true))
	}
	return height
}

// visitRef follows a name, or replaces it where it may not stand.
func visitRef(t *typ) int {
	if t.decl.state == entered {
		*t = *unknown("the schema refers only to itself")
		return 0
	}
	visit(t.decl)
	if t.decl.height >= maxChain {
		*t = *unknown(fmt.Sprintf("a chain of more than %d references", maxChain))
		return 0
	}
	return t.decl.height
}

// hasName reports whether a type is a name, or a union or intersection with one.
func hasName(t *typ) bool {
	switch t.op {
	case opRef:
		return true
	case opUnion, opBoth:
		return slices.ContainsFunc(t.of, hasName)
	}
	return false
}

// limitSpread keeps every intersection of unions below the number of
// combinations at which the compiler gives up.
func limitSpread(decls []*decl) {
	for _, d := range decls {
		d.state = unseen
	}
	for _, d := range decls {
		declWidth(d)
	}
}

// declWidth is how many alternatives a named type has.
func declWidth(d *decl) int {
	switch d.state {
	case entered:
		return 1
	case unseen:
		d.state = entered
		d.width = spread(d.typ)
		d.state = left
	}
	return d.width
}

// spread is how many alternatives a type has. Parts of an intersection that
// would make too many become unknown.
func spread(t *typ) int {
	switch t.op {
	case opRef:
		return declWidth(t.decl)
	case opUnion:
		n := 0
		for _, m := range t.of {
			n += spread(m)
		}
		return n
	case opBoth:
		n := 1
		for _, m := range t.of {
			w := spread(m)
			if w > 1 && n*w > maxSpread {
				*m = *unknown("these alternatives combine in too many ways")
				continue
			}
			n *= max(w, 1)
		}
		return n
	case opKeyword:
		if t.text == "boolean" {
			return 2
		}
		return 1
	case opArray:
		spread(t.of[0])
	case opTuple:
		for _, e := range t.of {
			spread(e)
		}
		if t.rest != nil {
			spread(t.rest)
		}
	case opObject:
		for _, f := range t.props {
			spread(f.typ)
		}
		if t.index != nil {
			spread(t.index)
		}
	}
	return 1
}
