package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// typeOf says what a value must be, in short.
func typeOf(root *jsonschema.Schema, loc []string) string { return typeWithin(root, loc, 3) }

func typeWithin(root *jsonschema.Schema, loc []string, depth int) string {
	s := subschema(root, loc)
	switch {
	case s == nil || depth == 0:
		return ""
	case s.Enum != nil:
		return enumOf(s.Enum.Values)
	case s.Const != nil:
		return show(*s.Const)
	case s.Types != nil:
		types := strings.Join(s.Types.ToStrings(), " or ")
		if items := typeWithin(s, []string{"0"}, depth-1); types == "array" && items != "" {
			types += " of " + items
		}
		return types
	}
	var parts []string
	for _, one := range slices.Concat(s.AnyOf, s.OneOf) {
		if part := typeWithin(one, nil, depth-1); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " or ")
}

// maxEnum is how many allowed values a message lists.
const maxEnum = 12

func enumOf(values []any) string {
	var parts []string
	for _, v := range values {
		parts = append(parts, show(v))
	}
	if len(parts) > maxEnum {
		parts = append(parts[:maxEnum], fmt.Sprintf("... (%d in all)", len(values)))
	}
	return "one of " + strings.Join(parts, ", ")
}
