package sdkgen

import "strings"

// impliedBy says which kind of value a keyword is about. A schema without a
// type is taken to mean the kinds its keywords are about.
var impliedBy = map[string]kinds{
	"properties": kindObject, "required": kindObject, "additionalProperties": kindObject,
	"patternProperties": kindObject, "propertyNames": kindObject, "minProperties": kindObject,
	"maxProperties": kindObject, "unevaluatedProperties": kindObject,
	"items": kindArray, "prefixItems": kindArray, "additionalItems": kindArray, "minItems": kindArray,
	"maxItems": kindArray, "uniqueItems": kindArray, "contains": kindArray, "unevaluatedItems": kindArray,
	"minLength": kindString, "maxLength": kindString, "pattern": kindString, "format": kindString,
	"contentEncoding": kindString, "contentMediaType": kindString,
	"minimum": kindNumber, "maximum": kindNumber, "exclusiveMinimum": kindNumber,
	"exclusiveMaximum": kindNumber, "multipleOf": kindNumber,
}

// inferred is the kinds that the keywords of a schema without a type are about.
func inferred(n *node) kinds {
	var k kinds
	for _, kw := range n.keys {
		k |= impliedBy[kw]
	}
	return k
}

// kindNamed is the kind a type name means, 0 for none.
func kindNamed(name string) kinds {
	if name == "integer" {
		return kindNumber
	}
	for _, e := range kindTypes {
		if e.json == name {
			return e.kind
		}
	}
	return 0
}

// named is the kinds in a schema's type keyword. bad says what is wrong with it.
func named(n *node) (k kinds, bad string) {
	t := n.get("type")
	if t == nil {
		return 0, ""
	}
	list := t.items
	if t.form == formString {
		list = []*node{t}
	}
	for _, e := range list {
		one := kinds(0)
		if e.form == formString {
			one = kindNamed(e.text)
		}
		if one == 0 {
			return 0, "its type is none of JSON Schema"
		}
		k |= one
	}
	if k == 0 {
		return 0, "its type is none of JSON Schema"
	}
	return k, ""
}

// excludes is the kinds that a schema under "not" rules out entirely.
func excludes(n *node) kinds {
	if n.form == formBool && n.yes {
		return kindAny
	}
	if n.form != formObject {
		return 0
	}
	for _, kw := range n.keys {
		switch {
		case kw == "type", strings.HasPrefix(kw, "x-"):
		case kw == "title", kw == "description", kw == "$comment", kw == "default", kw == "examples":
		default:
			return 0
		}
	}
	if n.get("type") == nil {
		return kindAny
	}
	if v := n.get("type"); v.form == formString && v.text == "integer" {
		return 0
	}
	for _, e := range n.list("type") {
		if e.form == formString && e.text == "integer" {
			return 0
		}
	}
	k, _ := named(n)
	return k
}

// claim is what a schema itself says about the kinds of its values.
type claim struct {
	// own is the kinds it allows, within those its surroundings allow.
	own kinds
	// says is whether it says anything about them.
	says bool
	// loose is whether they are only inferred, beside other schemas that may
	// allow more.
	loose bool
	// bad is what is wrong with its type keyword.
	bad string
}

// claims reads a schema's type, or infers it from the keywords. Beside anyOf,
// $ref and the like only keywords with schemas in them count: a bound on the
// length of strings does not mean that there are only strings.
func claims(n *node, mask kinds) claim {
	k, bad := named(n)
	c := claim{own: k, says: k != 0, bad: bad}
	if k == 0 && bad == "" {
		in := inferred(n)
		if combines(n) {
			in = structural(n)
			c.loose = true
		}
		c.own = in & mask
		c.says = c.own != 0
	}
	if c.own == 0 && !c.says {
		c.own = kindAny
	}
	if not := n.get("not"); not != nil {
		if ex := excludes(not); ex != 0 && ex != kindAny {
			c.own &^= ex
			c.says = true
		}
	}
	c.own &= mask
	return c
}

// combines reports whether a schema leaves part of its meaning to others.
func combines(n *node) bool {
	for _, kw := range [...]string{"anyOf", "oneOf", "allOf", "$ref", "$dynamicRef", "$recursiveRef"} {
		if n.get(kw) != nil {
			return true
		}
	}
	return false
}

// structural is the kinds whose parts a schema describes.
func structural(n *node) kinds {
	var k kinds
	for _, kw := range [...]string{"properties", "required", "additionalProperties", "patternProperties", "items", "prefixItems"} {
		if n.get(kw) != nil {
			k |= impliedBy[kw]
		}
	}
	return k
}

// maxHops is how many references are followed to learn a kind.
const maxHops = 16

// kindsOf is a superset of the kinds of values a schema allows.
func (c *converter) kindsOf(n *node, hops int) kinds {
	switch {
	case n.form == formBool && !n.yes:
		return 0
	case n.form != formObject || hops > maxHops:
		return kindAny
	}
	k := kindAny
	if at, ok := c.doc.sites[n]; ok && at.target != nil {
		k = c.kindsOf(at.target, hops+1)
		if c.doc.legacy {
			return k | c.nullable(n)
		}
	}
	switch {
	case n.get("const") != nil:
		k &= n.get("const").kind()
	case n.get("enum") != nil:
		var e kinds
		for _, v := range n.list("enum") {
			e |= v.kind()
		}
		k &= e
	}
	if own, bad := named(n); bad == "" && own != 0 {
		k &= own
	} else if in := inferred(n); in != 0 && !combines(n) {
		k &= in
	}
	return k | c.nullable(n)
}

func (c *converter) nullable(n *node) kinds {
	if n.isTrue("nullable") {
		return kindNull
	}
	return 0
}

// kind is the kind of a JSON value.
func (n *node) kind() kinds {
	switch n.form {
	case formNull:
		return kindNull
	case formBool:
		return kindBoolean
	case formNumber:
		return kindNumber
	case formString:
		return kindString
	case formArray:
		return kindArray
	case formObject:
		return kindObject
	}
	return kindAny
}
