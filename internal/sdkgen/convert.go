package sdkgen

import "fmt"

// converter turns one schema into a root type and the named types it needs.
type converter struct {
	doc   *document
	names func(want string) string
	decls map[*node]*decl
	// order lists the declarations as they were first needed, the root first.
	order []*decl
	types int
}

// convert reads a schema. The first declaration it leaves is the root, under the
// name root; it holds only values of the kinds in mask.
func convert(raw []byte, root string, mask kinds, names func(string) string) (*converter, error) {
	n, err := parse(raw)
	if err != nil {
		return nil, err
	}
	c := &converter{doc: newDocument(n), names: names, decls: map[*node]*decl{}}
	top := &decl{name: root, node: n, mask: mask, doc: docLines(n, root)}
	top.kinds = c.kindsOf(n, 0) & mask
	c.decls[n] = top
	c.order = append(c.order, top)
	for i := 0; i < len(c.order); i++ {
		d := c.order[i]
		d.typ = c.inline(d.node, d.mask, 0, false)
	}
	switch {
	case mask != kindAny && top.typ.kinds&mask == 0:
		top.typ = byKinds(mask, "the schema admits no such value")
	case top.typ.isKeyword("unknown"):
		top.typ = byKinds(mask, top.typ.why)
	}
	breakCycles(c.order)
	limitSpread(c.order)
	return c, nil
}

// schema converts a schema, or names it when it is declared on its own.
func (c *converter) schema(n *node, mask kinds, depth int, part bool) *typ {
	_, target := c.doc.targets[n]
	if c.decls[n] != nil || target && !isSimple(n) {
		return c.reference(n)
	}
	return c.inline(n, mask, depth, part)
}

// reference is the named type of a schema that some $ref leads to.
func (c *converter) reference(n *node) *typ {
	d := c.decls[n]
	if d == nil {
		if len(c.order) >= maxDecls {
			return unknown(fmt.Sprintf("the schema needs more than %d named types", maxDecls))
		}
		name := pascal(c.doc.targets[n])
		if name == "" {
			name = "Part"
		}
		d = &decl{name: c.names(name), node: n, mask: kindAny, doc: docLines(n, name), kinds: c.kindsOf(n, 0)}
		c.decls[n] = d
		c.order = append(c.order, d)
	}
	return &typ{op: opRef, decl: d, kinds: d.kinds}
}

// isSimple reports whether a schema is shorter than a name for it.
func isSimple(n *node) bool {
	if n.form != formObject {
		return true
	}
	for _, kw := range n.keys {
		switch kw {
		case "enum", "const", "anyOf", "oneOf", "allOf", "not", "$ref", "$dynamicRef", "$recursiveRef":
			return false
		}
	}
	t := n.get("type")
	if t == nil {
		k := inferred(n)
		return k&(kindArray|kindObject) == 0
	}
	return t.form == formString && t.text != "object" && t.text != "array"
}

// inline converts a schema where it stands. mask is the kinds of values that
// the schemas around it leave possible; part says that those describe the
// properties of the same object, so that this one need not stay open.
func (c *converter) inline(n *node, mask kinds, depth int, part bool) *typ {
	c.types++
	switch {
	case c.types > maxTypes:
		return unknown(fmt.Sprintf("the schema has more than %d parts", maxTypes))
	case depth > maxTypeDepth:
		return unknown(fmt.Sprintf("nested deeper than %d types", maxTypeDepth))
	case n.form == formCut:
		return unknown("the schema is too large or too deep to read")
	case n.form == formBool && n.yes:
		return unknown("")
	case n.form == formBool:
		return never("")
	case n.form != formObject:
		return unknown("not a schema")
	}
	parts := c.refPart(n, mask, depth)
	if len(parts) == 0 || !c.doc.legacy {
		parts = append(parts, c.ownParts(n, mask, depth, part)...)
	}
	t := both(parts)
	if n.isTrue("nullable") && mask&kindNull != 0 {
		t = union([]*typ{t, keyword("null", kindNull)})
	}
	return t
}

// refPart is what a schema's $ref says.
func (c *converter) refPart(n *node, mask kinds, depth int) []*typ {
	for _, kw := range refKeywords {
		v := n.get(kw)
		if v == nil {
			continue
		}
		at, ok := c.doc.sites[n]
		switch {
		case !ok || v.form != formString:
			return []*typ{unknown(kw + " is not a reference")}
		case at.target == nil:
			return []*typ{unknown(at.why)}
		}
		return []*typ{c.schema(at.target, mask, depth+1, false)}
	}
	return nil
}

// ownParts is what a schema says besides its $ref: each part restricts the
// value further.
func (c *converter) ownParts(n *node, mask kinds, depth int, part bool) []*typ {
	own := claims(n, mask)
	inner := own.own
	if own.loose {
		inner = mask
	}
	others := c.otherParts(n, inner, depth, part || n.get("properties") != nil)
	if own.bad != "" {
		others = append(others, unknown(own.bad))
	}
	if lit := c.literals(n, own.own, depth); lit != nil {
		return append([]*typ{lit}, others...)
	}
	if !own.says {
		return others
	}
	base := c.base(n, own.own, depth, part)
	if own.loose && len(others) > 0 {
		if k := both(others).kinds; k != kindAny && k&^own.own != 0 {
			base = union([]*typ{base, byKinds(k&^own.own, "")})
		}
	}
	return append([]*typ{base}, others...)
}

// otherParts is what the schemas within allOf, anyOf, oneOf and not say.
func (c *converter) otherParts(n *node, mask kinds, depth int, part bool) []*typ {
	var parts []*typ
	for _, s := range n.list("allOf") {
		parts = append(parts, c.schema(s, mask, depth+1, part))
	}
	for _, kw := range [...]string{"anyOf", "oneOf"} {
		v := n.get(kw)
		if v == nil {
			continue
		}
		if v.form != formArray {
			parts = append(parts, unknown(kw+" is not a list"))
			continue
		}
		parts = append(parts, c.choice(v.items, n.str("description"), mask, depth, part))
	}
	if not := n.get("not"); not != nil && excludes(not) == kindAny {
		parts = append(parts, never(""))
	}
	return parts
}

// choice is the union of some schemas, each with its description before it
// unless that is the one of the whole.
func (c *converter) choice(list []*node, about string, mask kinds, depth int, part bool) *typ {
	of := make([]*typ, 0, len(list))
	for _, s := range list {
		t := c.schema(s, mask, depth+1, part)
		if s.str("description") != about {
			t = described(t, s)
		}
		of = append(of, t)
	}
	return union(of)
}

// described is t with the description of its schema before it. A named type has
// it already where it is declared.
func described(t *typ, s *node) *typ {
	doc := inline(s.str("description"), maxMemberDoc)
	if doc == "" || t.op == opRef || t.doc != "" {
		return t
	}
	with := *t
	with.doc = doc
	return &with
}

// base is the union of the types for each kind in own.
func (c *converter) base(n *node, own kinds, depth int, part bool) *typ {
	var of []*typ
	for _, e := range kindTypes {
		switch {
		case own&e.kind == 0:
		case e.kind == kindArray:
			of = append(of, c.array(n, depth))
		case e.kind == kindObject:
			of = append(of, c.object(n, depth, part))
		default:
			of = append(of, keyword(e.ts, e.kind))
		}
	}
	if len(of) == 0 {
		return never("no value has a type that all the schemas here allow")
	}
	return union(of)
}
