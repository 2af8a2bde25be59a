package sdkgen

import "fmt"

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
		d.height = 1 + visitType(d.typ)
		d.state = left
	}
}

// visitType looks at the types that TypeScript needs at once to know t, and
// gives the length of the longest chain of names among them.
func visitType(t *typ) int {
	switch t.op {
	case opUnion, opBoth:
		height := 0
		for _, m := range t.of {
			height = max(height, visitType(m))
		}
		return height
	case opRef:
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
	return 0
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
