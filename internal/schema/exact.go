package schema

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// digits is an integer that JavaScript can't hold as a number.
var digits = regexp.MustCompile(`^-?[1-9][0-9]{15,}$`)

// ExactIntegers turns strings of digits into integers where a schema wants an
// integer or a number and no string: that is how a script holds an integer outside
// of +-2^53. It follows properties, items, references within the schema, and
// alternatives. The second result says whether anything was turned.
func ExactIntegers(schema, args json.RawMessage) (json.RawMessage, bool) {
	var root, rules any
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	if len(schema) > maxSchemaBytes || depth(schema) > maxDepth || depth(args) > maxDepth || json.Unmarshal(schema, &rules) != nil || dec.Decode(&root) != nil {
		return args, false
	}
	e := exacter{root: rules, steps: maxExactSteps}
	root = e.turn(rules, root)
	if !e.turned || e.steps <= 0 {
		return args, false
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(root) != nil {
		return args, false
	}
	return bytes.TrimRight(out.Bytes(), "\n"), true
}

const (
	// maxExactSteps bounds the work: values times the alternatives of their schemas.
	maxExactSteps = 2_000_000
	// maxBranches bounds the alternatives of one schema.
	maxBranches = 64
	// maxHops bounds references to references.
	maxHops = 16
)

// exacter walks a value beside its schema, which was parsed once.
type exacter struct {
	root   any
	steps  int
	turned bool
}

// turn turns one value and what it holds.
func (e *exacter) turn(schema, v any) any {
	if e.steps <= 0 {
		return v
	}
	switch v := v.(type) {
	case string:
		if e.steps--; digits.MatchString(v) && e.wantsNumber(schema) {
			e.turned = true
			return json.Number(v)
		}
	case map[string]any:
		branches := e.branches(schema)
		for name, value := range v {
			e.steps -= len(branches) + 1
			v[name] = e.turn(member(branches, name), value)
		}
	case []any:
		branches := e.branches(schema)
		for i, value := range v {
			e.steps -= len(branches) + 1
			v[i] = e.turn(element(branches, i), value)
		}
	}
	return v
}

// branches are a schema and its alternatives, references followed.
func (e *exacter) branches(schema any) []map[string]any {
	var out []map[string]any
	var add func(any, int)
	add = func(s any, hops int) {
		m, ok := s.(map[string]any)
		if !ok || len(out) >= maxBranches || hops > maxHops || e.steps <= 0 {
			return
		}
		e.steps--
		if ref, ok := m["$ref"].(string); ok {
			add(e.refer(ref), hops+1)
		}
		out = append(out, m)
		for _, key := range [...]string{"allOf", "anyOf", "oneOf"} {
			list, _ := m[key].([]any)
			for _, one := range list {
				add(one, hops+1)
			}
		}
	}
	add(schema, 0)
	return out
}

// refer follows a reference within the schema.
func (e *exacter) refer(ref string) any {
	at := e.root
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	for _, name := range strings.Split(path, "/")[1:] {
		m, _ := at.(map[string]any)
		at = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return at
}

func member(branches []map[string]any, name string) any {
	for _, b := range branches {
		if p, ok := b["properties"].(map[string]any); ok && p[name] != nil {
			return p[name]
		}
	}
	for _, b := range branches {
		if rest, ok := b["additionalProperties"].(map[string]any); ok {
			return rest
		}
	}
	return nil
}

func element(branches []map[string]any, i int) any {
	for _, b := range branches {
		if first, ok := b["prefixItems"].([]any); ok && i < len(first) {
			return first[i]
		}
	}
	for _, b := range branches {
		switch items := b["items"].(type) {
		case map[string]any:
			return items
		case []any: // draft-07
			if i < len(items) {
				return items[i]
			}
		}
	}
	return nil
}

// wantsNumber reports whether a schema takes a number and no string, in any of its
// alternatives.
func (e *exacter) wantsNumber(schema any) bool {
	number := false
	for _, b := range e.branches(schema) {
		kinds, ok := b["type"].([]any)
		if !ok {
			kinds = []any{b["type"]}
		}
		for _, kind := range kinds {
			switch kind {
			case "integer", "number":
				number = true
			case "string":
				return false
			case nil: // anything, unless it only leads to others
				if b["$ref"] == nil && b["allOf"] == nil && b["anyOf"] == nil && b["oneOf"] == nil {
					return false
				}
			}
		}
	}
	return number
}
