package sdkgen

import (
	"strconv"
	"strings"
)

// array converts the keywords about arrays. A position of a tuple may be
// missing unless minItems says otherwise, as in JSON Schema.
func (c *converter) array(n *node, depth int) *typ {
	first, rest := n.list("prefixItems"), n.get("items")
	if rest != nil && rest.form == formArray {
		first, rest = rest.items, n.get("additionalItems")
	}
	if len(first) == 0 {
		of := unknown("")
		if rest != nil {
			of = c.schema(rest, kindAny, depth+1, false)
		}
		return &typ{op: opArray, of: []*typ{of}, kinds: kindArray}
	}
	if len(first) > maxTuple {
		why := "a tuple of " + strconv.Itoa(len(first)) + " positions"
		return &typ{op: opArray, of: []*typ{unknown("")}, kinds: kindArray, why: why}
	}
	if most, ok := count(n, "maxItems"); ok && most <= len(first) {
		first = first[:most]
		rest = &node{form: formBool}
	}
	t := &typ{op: opTuple, kinds: kindArray}
	t.least, _ = count(n, "minItems")
	for _, s := range first {
		t.of = append(t.of, described(c.schema(s, kindAny, depth+1, false), s))
	}
	switch {
	case rest == nil:
		t.rest = unknown("")
	case rest.form == formBool && !rest.yes:
	default:
		t.rest = c.schema(rest, kindAny, depth+1, false)
	}
	return t
}

// count is a small whole number at key.
func count(n *node, key string) (int, bool) {
	v := n.get(key)
	if v == nil || v.form != formNumber {
		return 0, false
	}
	i, err := strconv.Atoi(strings.TrimSuffix(v.text, ".0"))
	if err != nil || i < 0 {
		return 0, false
	}
	return i, true
}
