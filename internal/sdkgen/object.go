package sdkgen

// object converts the keywords about objects.
//
// A property is optional unless the schema requires it. One that is required
// and has a default stays required: the default is a hint to whoever writes the
// call, and the validator refuses a call without the property.
func (c *converter) object(n *node, depth int, part bool) *typ {
	t := &typ{op: opObject, kinds: kindObject}
	required := requiredNames(n)
	extra, extraIs := c.otherKeys(n, depth)
	props := n.get("properties")
	if props != nil && props.form == formObject {
		for i, name := range props.keys {
			s := props.items[i]
			t.props = append(t.props, prop{
				name:     name,
				optional: !required[name],
				doc:      c.propDoc(name, s),
				typ:      c.schema(s, kindAny, depth+1, false),
			})
			delete(required, name)
		}
	}
	t.props = append(t.props, c.undeclared(n, required, extra, extraIs)...)
	if names := n.get("propertyNames"); names != nil && extra == nil && extraIs != keysRefused && len(t.props) == 0 {
		extra = unknown("")
	}
	if list := enumNames(n.get("propertyNames")); list != nil && len(t.props) == 0 && extra != nil && extra.same() != "" {
		for _, name := range list {
			t.props = append(t.props, prop{name: name, optional: true, typ: extra})
		}
		return t
	}
	switch {
	case extra != nil:
		t.index = widen(extra, t.props)
	case extraIs == keysRefused && len(t.props) == 0:
		t.index = never("")
	case extraIs == keysUnsaid && (len(t.props) == 0 || props == nil && !part):
		t.index = unknown("")
	}
	return t
}

// undeclared is the properties a schema requires and does not describe.
func (c *converter) undeclared(n *node, required map[string]bool, extra *typ, is otherKeys) []prop {
	var out []prop
	for _, e := range n.list("required") {
		if e.form != formString || !required[e.text] {
			continue
		}
		delete(required, e.text)
		p := prop{name: e.text, typ: unknown("")}
		switch {
		case extra != nil && extra.same() != "":
			p.typ = extra
		case is == keysRefused:
			p.typ = never("required, and refused as an additional property")
		}
		out = append(out, p)
	}
	return out
}

// otherKeys is what a schema says about keys it doesn't list.
type otherKeys uint8

const (
	keysUnsaid otherKeys = iota
	keysDescribed
	keysRefused
)

// otherKeys is the type of the values at keys a schema doesn't list, or nil.
func (c *converter) otherKeys(n *node, depth int) (*typ, otherKeys) {
	var of []*typ
	if patterns := n.get("patternProperties"); patterns != nil && patterns.form == formObject {
		for _, s := range patterns.items {
			if t := c.schema(s, kindAny, depth+1, false); !t.isKeyword("never") {
				of = append(of, t)
			}
		}
	}
	more := n.get("additionalProperties")
	if more == nil {
		more = n.get("unevaluatedProperties")
	}
	switch {
	case more == nil:
	case more.form == formBool && !more.yes:
		if len(of) == 0 {
			return nil, keysRefused
		}
	default:
		of = append(of, c.schema(more, kindAny, depth+1, false))
	}
	if len(of) == 0 {
		return nil, keysUnsaid
	}
	return union(of), keysDescribed
}

// maxWiden is how many types an index signature joins with its own.
const maxWiden = 8

// widen makes an index signature that the named properties fit, as TypeScript
// wants of each of them: its type joined with theirs, or unknown where that
// would be long.
func widen(index *typ, props []prop) *typ {
	if len(props) == 0 || index.isKeyword("unknown") {
		return index
	}
	of := []*typ{index}
	absent := false
	for _, p := range props {
		absent = absent || p.optional
		of = append(of, p.typ)
	}
	t := union(of)
	short, ok := compact(index, lineWidth)
	if !ok {
		short = "more narrow than this"
	}
	if t.op == opUnion && len(t.of) > maxWiden || t.same() == "" {
		return unknown("other keys: " + short)
	}
	if absent {
		t = union([]*typ{t, keyword("undefined", 0)})
	}
	return t
}

// requiredNames is the names in a schema's list of required properties.
func requiredNames(n *node) map[string]bool {
	out := map[string]bool{}
	for _, e := range n.list("required") {
		if e.form == formString {
			out[e.text] = true
		}
	}
	return out
}

// enumNames is the property names that a propertyNames schema lists, or nil
// when there are none or very many.
func enumNames(n *node) []string {
	var out []string
	values := n.list("enum")
	if v := n.get("const"); v != nil {
		values = []*node{v}
	}
	if len(values) > maxTuple {
		return nil
	}
	seen := map[string]bool{}
	for _, v := range values {
		if v.form == formString && !seen[v.text] {
			seen[v.text] = true
			out = append(out, v.text)
		}
	}
	return out
}
