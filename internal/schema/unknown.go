package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"codemode-mcp/internal/catalog"
)

// Unknown names the members of an object that its schema takes, as JSON Schema
// does by default, and says nothing about: most likely they are written wrong.
// Each comes with the nearest right names.
func (s *Schema) Unknown(raw json.RawMessage) []string {
	if !names(s.compiled) {
		return nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return nil
	}
	return unknown(s.compiled, nil, slices.Sorted(maps.Keys(object)))
}

// names reports whether a schema lists the members of an object, and whether that
// list is all it says of them.
func names(s *jsonschema.Schema) bool {
	return s != nil && len(s.Properties) > 0 && s.AdditionalProperties == nil && s.UnevaluatedProperties == nil && len(s.PatternProperties) == 0 &&
		s.PropertyNames == nil && s.Ref == nil && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.If == nil &&
		s.DependentSchemas == nil && s.Dependencies == nil
}

// unknown describes those of some names that are no properties at a location.
func unknown(root *jsonschema.Schema, loc []string, list []string) []string {
	known := properties(root, loc)
	if len(known) == 0 {
		return nil
	}
	var out []string
	for _, name := range list {
		if slices.Contains(known, name) || len(out) == maxViolations {
			continue
		}
		out = append(out, strconv.Quote(cut(name))+meant(name, known))
	}
	return out
}

// meant says which known names a wrong one is near to.
func meant(name string, known []string) string {
	near := catalog.Nearest(name, known)
	if len(near) == 0 {
		return ""
	}
	for i, n := range near {
		near[i] = strconv.Quote(n)
	}
	return fmt.Sprintf(" (did you mean %s?)", strings.Join(near, " or "))
}

// alsoUnknown is what is added to the error of a missing member: what is there
// under a name that means nothing may be what is missing.
func alsoUnknown(root *jsonschema.Schema, loc []string, doc any) string {
	object, ok := value(doc, loc).(map[string]any)
	if !ok || !names(subschema(root, loc)) {
		return ""
	}
	list := unknown(root, loc, slices.Sorted(maps.Keys(object)))
	if len(list) == 0 {
		return ""
	}
	return "; unknown " + strings.Join(list, ", ")
}
