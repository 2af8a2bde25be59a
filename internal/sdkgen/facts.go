package sdkgen

import (
	"math"
	"strconv"
	"strings"
)

// facts is what a schema demands beyond what its type can say.
func facts(n *node) []string {
	var out []string
	add := func(s string) {
		if s = inline(s, maxFact); s != "" {
			out = append(out, s)
		}
	}
	if isInteger(n) {
		add("integer")
	}
	add(n.str("format"))
	add(bounds(n))
	add(sizes(n, "minLength", "maxLength", "characters"))
	add(sizes(n, "minItems", "maxItems", "items"))
	add(sizes(n, "minProperties", "maxProperties", "keys"))
	for _, kw := range [...]string{"multipleOf", "pattern", "contentEncoding", "contentMediaType"} {
		if v := n.get(kw); v != nil {
			add(factNames[kw] + " " + raw(v))
		}
	}
	if p := n.get("patternProperties"); p != nil && len(p.keys) > 0 {
		add("keys match " + strings.Join(p.keys[:min(len(p.keys), maxExamples)], ", "))
	}
	if p := n.get("propertyNames"); p != nil && p.get("pattern") != nil {
		add("keys match " + raw(p.get("pattern")))
	}
	for _, f := range flagFacts {
		if n.isTrue(f.keyword) {
			add(f.says)
		}
	}
	if not := n.get("not"); not != nil && excludes(not) == 0 {
		add("not " + raw(not))
	}
	if v := n.get("contains"); v != nil {
		add("contains " + raw(v))
	}
	said := ""
	for _, f := range ruleFacts {
		if n.get(f.keyword) != nil && f.says != said {
			add(f.says)
			said = f.says
		}
	}
	if v := n.get("default"); v != nil {
		add("default " + raw(v))
	}
	examples := n.list("examples")
	if v := n.get("example"); v != nil && examples == nil {
		examples = []*node{v}
	}
	for i, v := range examples {
		if i < maxExamples {
			add("e.g. " + raw(v))
		}
	}
	return out
}

// factNames says how a keyword reads in a comment.
var factNames = map[string]string{
	"multipleOf": "multiple of", "pattern": "pattern", "contentEncoding": "encoding", "contentMediaType": "media type",
}

var flagFacts = [...]struct{ keyword, says string }{
	{"uniqueItems", "no item twice"},
	{"readOnly", "read-only"},
	{"writeOnly", "write-only"},
}

// ruleFacts are keywords that types don't show.
var ruleFacts = [...]struct{ keyword, says string }{
	{"if", "if/then/else rules are not shown"},
	{"dependentRequired", "rules between properties are not shown"},
	{"dependentSchemas", "rules between properties are not shown"},
	{"dependencies", "rules between properties are not shown"},
}

func isInteger(n *node) bool {
	if n.get("enum") != nil || n.get("const") != nil {
		return false
	}
	if n.str("type") == "integer" {
		return true
	}
	for _, v := range n.list("type") {
		if v.form == formString && v.text == "integer" {
			return true
		}
	}
	return false
}

// hugeBound is the size from which a bound says nothing: generators write the
// limits of their integers, here those of JavaScript.
const hugeBound = 1<<53 - 1

// bounds is the range of a number.
func bounds(n *node) string {
	lo, loOpen := bound(n, "minimum", "exclusiveMinimum")
	hi, hiOpen := bound(n, "maximum", "exclusiveMaximum")
	if lo != "" && hi != "" && !loOpen && !hiOpen {
		return lo + " to " + hi
	}
	var parts []string
	for _, p := range [...]struct {
		value       string
		open        bool
		mark, equal string
	}{{lo, loOpen, "> ", ">= "}, {hi, hiOpen, "< ", "<= "}} {
		switch {
		case p.value == "":
		case p.open:
			parts = append(parts, p.mark+p.value)
		default:
			parts = append(parts, p.equal+p.value)
		}
	}
	return strings.Join(parts, " and ")
}

// bound is one end of a range. Draft-04 wrote an open end as a boolean.
func bound(n *node, closed, open string) (value string, isOpen bool) {
	v, o := n.get(closed), n.get(open)
	switch {
	case o != nil && o.form == formNumber:
		v, isOpen = o, true
	case n.isTrue(open):
		isOpen = true
	}
	if v == nil || v.form != formNumber {
		return "", false
	}
	if f, err := strconv.ParseFloat(v.text, 64); err != nil || math.Abs(f) >= hugeBound {
		return "", false
	}
	return v.text, isOpen
}

// sizes is the range of a length.
func sizes(n *node, least, most, unit string) string {
	lo, hasLo := count(n, least)
	hi, hasHi := count(n, most)
	if max(lo, hi) == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	switch {
	case hasLo && hasHi && lo == hi:
		return strconv.Itoa(lo) + " " + unit
	case lo > 0 && hasHi:
		return strconv.Itoa(lo) + " to " + strconv.Itoa(hi) + " " + unit
	case hasHi:
		return "at most " + strconv.Itoa(hi) + " " + unit
	case lo > 0:
		return "at least " + strconv.Itoa(lo) + " " + unit
	}
	return ""
}

// raw is a JSON value on one line, cut when it is long.
func raw(n *node) string {
	var b strings.Builder
	writeRaw(&b, n)
	return clip(b.String(), maxFact)
}

// writeRaw stops soon after maxFact characters.
func writeRaw(b *strings.Builder, n *node) {
	if b.Len() > 4*maxFact {
		return
	}
	switch n.form {
	case formNull:
		b.WriteString("null")
	case formBool:
		b.WriteString(strconv.FormatBool(n.yes))
	case formNumber:
		b.WriteString(n.text)
	case formString:
		b.WriteString(quote(n.text))
	case formCut:
		b.WriteString("…")
	case formArray, formObject:
		ends := "[]"
		if n.form == formObject {
			ends = "{}"
		}
		b.WriteByte(ends[0])
		for i, v := range n.items {
			if b.Len() > 4*maxFact {
				break
			}
			if i > 0 {
				b.WriteString(", ")
			}
			if n.form == formObject {
				b.WriteString(quote(n.keys[i]) + ": ")
			}
			writeRaw(b, v)
		}
		b.WriteByte(ends[1])
	}
}
