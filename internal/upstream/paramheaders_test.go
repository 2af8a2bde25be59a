package upstream

import (
	"encoding/json"
	"testing"
)

func TestDropBadHeaders(t *testing.T) {
	for schema, kept := range map[string]bool{
		`{"properties":{"a":{"type":"string","x-mcp-header":"Region"},"b":{"type":"integer","x-mcp-header":"Level"}}}`: true,
		`{"properties":{"a":{"type":"string"}}}`: true,
		`true`:                                   true,
		`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`:                                                                                false,
		`{"properties":{"a":{"type":"string","x-mcp-header":7}}}`:                                                                                 false,
		`{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}`:                                                                             false,
		`{"properties":{"a":{"type":"string","x-mcp-header":"a\r\nb"}}}`:                                                                          false,
		`{"properties":{"a":{"type":"string","x-mcp-header":"ä"}}}`:                                                                               false,
		`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`:                                                                               false,
		`{"properties":{"a":{"x-mcp-header":"A"}}}`:                                                                                               false,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`:                                      false,
		`{"properties":{"a":{"type":"object","properties":{"b":{"type":"array","x-mcp-header":"B"}}}}}`:                                           false,
		`{"properties":{"a":{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"B"}}},"b":{"type":"string","x-mcp-header":"b"}}}`: false,
	} {
		raw := []json.RawMessage{json.RawMessage(`{"name":"t","inputSchema":` + schema + `}`)}
		got, warnings := dropBadHeaders(raw, nil)
		if (len(got) == 1) != kept || (len(warnings) == 0) != kept {
			t.Errorf("%s: kept %d, %v", schema, len(got), warnings)
		}
	}
}
