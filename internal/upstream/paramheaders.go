package upstream

import (
	"encoding/json"
	"fmt"
	"strings"
)

// dropBadHeaders leaves out tools whose schema asks for arguments in HTTP headers
// (x-mcp-header, SEP-2243) in a way that can't be: they must not be called. It is
// for servers over HTTP of revisions that know such headers.
func dropBadHeaders(raw []json.RawMessage, warnings []string) ([]json.RawMessage, []string) {
	kept := make([]json.RawMessage, 0, len(raw))
	for i, text := range raw {
		var t struct {
			Schema json.RawMessage `json:"inputSchema"`
		}
		if json.Unmarshal(text, &t) == nil {
			if problem := badHeaders(t.Schema, map[string]bool{}, maxHeaderDepth); problem != "" {
				warnings = append(warnings, fmt.Sprintf("tool %d of the list was left out: %s", i+1, problem))
				continue
			}
		}
		kept = append(kept, text)
	}
	return kept, warnings
}

// maxHeaderDepth bounds how deep properties are looked at. The SDK looks as deep as
// a schema goes when it sends them; no real one goes as far.
const maxHeaderDepth = 50

// badHeaders says what is wrong with the headers of a schema, or nothing.
func badHeaders(schema json.RawMessage, seen map[string]bool, depth int) string {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if depth == 0 || json.Unmarshal(schema, &s) != nil {
		return ""
	}
	for name, raw := range s.Properties {
		var p struct {
			Type   json.RawMessage `json:"type"`
			Header json.RawMessage `json:"x-mcp-header"`
		}
		if json.Unmarshal(raw, &p) != nil {
			continue
		}
		if p.Header != nil {
			var header string
			switch kind := string(p.Type); {
			case kind != `"string"` && kind != `"integer"` && kind != `"boolean"`:
				return fmt.Sprintf("%.100q goes in a header and is no string, integer or boolean", name)
			case json.Unmarshal(p.Header, &header) != nil || header == "" || strings.ContainsFunc(header, notToken):
				return fmt.Sprintf("%.100q goes in a header whose name can't be one", name)
			case seen[strings.ToLower(header)]:
				return fmt.Sprintf("%.100q goes in a header that another argument has", name)
			}
			seen[strings.ToLower(header)] = true
		}
		if problem := badHeaders(raw, seen, depth-1); problem != "" {
			return problem
		}
	}
	return ""
}

// notToken reports whether a character can't be in a header's name (RFC 9110).
func notToken(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
