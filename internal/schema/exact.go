package schema

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
)

// digits is an integer that JavaScript can't hold as a number.
var digits = regexp.MustCompile(`^-?[1-9][0-9]{15,}$`)

// ExactIntegers turns strings of digits into integers where a schema wants an
// integer or a number and no string: that is how a script holds an integer outside
// of +-2^53. It follows properties and items. The second result says whether
// anything was turned.
func ExactIntegers(schema, args json.RawMessage) (json.RawMessage, bool) {
	var root any
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	if len(schema) > maxSchemaBytes || depth(schema) > maxDepth || depth(args) > maxDepth || dec.Decode(&root) != nil {
		return args, false
	}
	turned := false
	root = exact(schema, root, &turned)
	if !turned {
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

// exact turns one value and what it holds.
func exact(schema json.RawMessage, v any, turned *bool) any {
	var s struct {
		Type       json.RawMessage            `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Items      json.RawMessage            `json:"items"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return v
	}
	switch v := v.(type) {
	case string:
		if digits.MatchString(v) && wantsNumber(s.Type) {
			*turned = true
			return json.Number(v)
		}
	case map[string]any:
		for name, value := range v {
			if sub := s.Properties[name]; sub != nil {
				v[name] = exact(sub, value, turned)
			}
		}
	case []any:
		for i, value := range v {
			v[i] = exact(s.Items, value, turned)
		}
	}
	return v
}

func wantsNumber(kind json.RawMessage) bool {
	var kinds []string
	var one string
	if json.Unmarshal(kind, &one) == nil {
		kinds = []string{one}
	} else if json.Unmarshal(kind, &kinds) != nil {
		return false
	}
	return !slices.Contains(kinds, "string") && (slices.Contains(kinds, "integer") || slices.Contains(kinds, "number"))
}
