package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

const (
	// maxViolations is how many violations are told at once.
	maxViolations = 8
	// maxShown cuts a value that a message quotes, in bytes.
	maxShown = 80
	// maxSentence bounds one violation, in bytes: its place and its names are the
	// caller's.
	maxSentence = 1000
)

var english = message.NewPrinter(language.English)

// explain turns the library's tree into sentences, the deepest causes first told
// where they are.
func explain(ve *jsonschema.ValidationError, root *jsonschema.Schema, doc any) []string {
	var out []string
	seen := map[string]bool{}
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		switch e.ErrorKind.(type) {
		case *kind.AnyOf, *kind.OneOf:
			// The branch that fails deepest is the one the caller meant.
			if best := deepest(e.Causes); best != nil {
				walk(best)
				return
			}
		}
		if len(e.Causes) > 0 {
			for _, c := range e.Causes {
				walk(c)
			}
			return
		}
		if s := cutAt(sentence(e, root, doc), maxSentence); !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	walk(ve)
	sort.Strings(out)
	if len(out) > maxViolations {
		out = append(out[:maxViolations], fmt.Sprintf("and %d more", len(out)-maxViolations))
	}
	return out
}

func deepest(causes []*jsonschema.ValidationError) *jsonschema.ValidationError {
	var best *jsonschema.ValidationError
	bestDepth, ties := -1, 0
	for _, c := range causes {
		switch d := reach(c); {
		case d > bestDepth:
			best, bestDepth, ties = c, d, 1
		case d == bestDepth:
			ties++
		}
	}
	if ties > 1 {
		return nil
	}
	return best
}

func reach(e *jsonschema.ValidationError) int {
	d := len(e.InstanceLocation)
	for _, c := range e.Causes {
		d = max(d, reach(c))
	}
	return d
}

func sentence(e *jsonschema.ValidationError, root *jsonschema.Schema, doc any) string {
	at := Path(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		var parts []string
		for _, m := range k.Missing {
			part := strconv.Quote(m)
			place := append(e.InstanceLocation[:len(e.InstanceLocation):len(e.InstanceLocation)], m)
			var about []string
			if t := typeOf(root, place); t != "" {
				about = append(about, t)
			}
			if s := subschema(root, place); s != nil && s.Default != nil {
				about = append(about, "its default is "+show(*s.Default)+", but it must be given")
			}
			if len(about) > 0 {
				part += " (" + strings.Join(about, "; ") + ")"
			}
			parts = append(parts, part)
		}
		return where(at, "missing ") + strings.Join(parts, ", ") + alsoUnknown(root, e.InstanceLocation, doc)
	case *kind.AdditionalProperties:
		known := properties(root, e.InstanceLocation)
		var parts []string
		unknown := slices.Sorted(slices.Values(k.Properties))
		for _, p := range unknown[:min(len(unknown), maxViolations)] {
			parts = append(parts, strconv.Quote(cut(p))+meant(p, known))
		}
		msg := where(at, "unknown ") + strings.Join(parts, ", ")
		if more := len(unknown) - len(parts); more > 0 {
			msg += fmt.Sprintf(" and %d more", more)
		}
		if len(known) > 0 {
			msg += "; known: " + strings.Join(known, ", ")
		}
		return msg
	case *kind.Type:
		msg := fmt.Sprintf("%s must be %s, got %s", orValue(at), strings.Join(k.Want, " or "), k.Got)
		if k.Got == "string" && looksLikeJSON(value(doc, e.InstanceLocation)) {
			msg += " (a JSON string: pass the value itself, not JSON.stringify of it)"
		} else {
			msg += shown(doc, e.InstanceLocation)
		}
		return msg
	case *kind.Enum:
		return fmt.Sprintf("%s must be %s, got %s", orValue(at), enumOf(k.Want), show(k.Got))
	default:
		if words := wording(e.ErrorKind); words != "" {
			return orValue(at) + " " + words
		}
		return fmt.Sprintf("%s: %s%s", orValue(at), cut(e.ErrorKind.LocalizedString(english)), shown(doc, e.InstanceLocation))
	}
}

// Path renders an instance location as a script would write it: a.b[2]["c d"].
func Path(loc []string) string {
	var b strings.Builder
	for _, p := range loc {
		_, err := strconv.Atoi(p)
		switch {
		case err == nil:
			b.WriteString("[" + p + "]")
		case !isIdent(p):
			b.WriteString("[" + strconv.Quote(cut(p)) + "]")
		case b.Len() > 0:
			b.WriteString("." + p)
		default:
			b.WriteString(p)
		}
	}
	return b.String()
}

func isIdent(s string) bool {
	for i, r := range s {
		if r != '_' && r != '$' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

func where(at, verb string) string {
	if at == "" {
		return verb
	}
	return at + ": " + verb
}

func orValue(at string) string {
	if at == "" {
		return "the value"
	}
	return at
}

// subschema finds the subschema of a location, as far as plain properties and items lead.
func subschema(s *jsonschema.Schema, loc []string) *jsonschema.Schema {
	for _, p := range loc {
		for s != nil && s.Ref != nil && s.Properties == nil {
			s = s.Ref
		}
		if s == nil {
			return nil
		}
		if next, ok := s.Properties[p]; ok {
			s = next
			continue
		}
		switch items := s.Items.(type) {
		case *jsonschema.Schema:
			s = items
		default:
			if s.Items2020 == nil {
				return nil
			}
			s = s.Items2020
		}
	}
	for s != nil && s.Ref != nil && s.Properties == nil && s.Types == nil {
		s = s.Ref
	}
	return s
}

func properties(root *jsonschema.Schema, loc []string) []string {
	s := subschema(root, loc)
	if s == nil {
		return nil
	}
	var out []string
	for name := range s.Properties {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

func value(doc any, loc []string) any {
	for _, p := range loc {
		switch d := doc.(type) {
		case map[string]any:
			doc = d[p]
		case []any:
			i, err := strconv.Atoi(p)
			if err != nil || i < 0 || i >= len(d) {
				return nil
			}
			doc = d[i]
		default:
			return nil
		}
	}
	return doc
}

func looksLikeJSON(v any) bool {
	s, ok := v.(string)
	s = strings.TrimSpace(s)
	return ok && s != "" && (s[0] == '{' || s[0] == '[') && json.Valid([]byte(s))
}

func shown(doc any, loc []string) string {
	switch v := value(doc, loc).(type) {
	case string, json.Number, bool:
		return " (" + show(v) + ")"
	}
	return ""
}

func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return cut(string(b))
}

func cut(s string) string { return cutAt(s, maxShown) }

func cutAt(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}
