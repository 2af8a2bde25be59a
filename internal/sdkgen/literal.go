package sdkgen

import "strconv"

// literals is the union of the values that enum or const allow, or nil when the
// schema has neither. Values of a kind outside own are left out, and so are
// those that "not" names.
func (c *converter) literals(n *node, own kinds, depth int) *typ {
	var values []*node
	switch enum := n.get("enum"); {
	case n.get("const") != nil:
		values = []*node{n.get("const")}
	case enum == nil:
		return nil
	case enum.form != formArray:
		return unknown("enum is not a list")
	default:
		values = enum.items
	}
	banned := c.banned(n.get("not"), depth)
	of := make([]*typ, 0, len(values))
	for _, v := range values {
		if v.kind()&own == 0 {
			continue
		}
		t := c.value(v, depth)
		if s := t.same(); s != "" && banned[s] {
			continue
		}
		of = append(of, t)
	}
	if len(of) == 0 {
		return never("no value of the enum has an allowed type")
	}
	return union(of)
}

// banned is the values that a schema under "not" rules out, when it does no
// more than list them.
func (c *converter) banned(not *node, depth int) map[string]bool {
	if not == nil || not.form != formObject || len(not.keys) != 1 {
		return nil
	}
	values := not.list("enum")
	if v := not.get("const"); v != nil {
		values = []*node{v}
	}
	out := make(map[string]bool, len(values))
	for _, v := range values {
		if s := c.value(v, depth).same(); s != "" {
			out[s] = true
		}
	}
	return out
}

// value is the type that admits one JSON value only.
func (c *converter) value(v *node, depth int) *typ {
	c.types++
	if c.types > maxTypes || depth > maxTypeDepth {
		return unknown("a value too large to show")
	}
	switch v.form {
	case formNull:
		return keyword("null", kindNull)
	case formBool:
		return literal(strconv.FormatBool(v.yes), kindBoolean)
	case formNumber:
		if _, err := strconv.ParseFloat(v.text, 64); err != nil || len(v.text) > maxNumberChars {
			t := keyword("number", kindNumber)
			t.why = "a number too large for a literal"
			return t
		}
		return literal(v.text, kindNumber)
	case formString:
		return literal(quote(v.text), kindString)
	case formArray:
		if len(v.items) > maxTuple {
			return &typ{op: opArray, of: []*typ{unknown("")}, kinds: kindArray, why: "a list too long to show"}
		}
		t := &typ{op: opTuple, kinds: kindArray, least: len(v.items)}
		for _, e := range v.items {
			t.of = append(t.of, c.value(e, depth+1))
		}
		return t
	case formObject:
		if len(v.keys) == 0 {
			return record(never(""))
		}
		t := &typ{op: opObject, kinds: kindObject}
		for i, k := range v.keys {
			t.props = append(t.props, prop{name: k, typ: c.value(v.items[i], depth+1)})
		}
		return t
	}
	return unknown("a value too large to show")
}
