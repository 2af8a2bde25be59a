package sdkgen

import (
	"encoding/json"
	"strings"
	"testing"

	"codemode-mcp/internal/catalog"
)

func TestSignature(t *testing.T) {
	tests := []struct {
		what, name, in, out string
		max                 int
		want                string
	}{
		{"plain", "read_file", `{"properties":{"path":{"type":"string"},"startLine":{"type":"integer"}},"required":["path"]}`,
			`{"properties":{"text":{"type":"string"}},"required":["text"]}`, 200,
			`read_file(args: { path: string; startLine?: number }): Promise<{ text: string }>`},
		{"no schema", "ping", ``, ``, 200, `ping(): Promise<unknown>`},
		{"no arguments", "ping", `{"type":"object","properties":{},"additionalProperties":false}`, ``, 200, `ping(): Promise<unknown>`},
		{"any arguments", "put", `{"type":"object","additionalProperties":true}`, ``, 200, `put(args?: { [key: string]: unknown }): Promise<unknown>`},
		{"odd name", "a-b", `{"properties":{"x":{"type":"null"}}}`, ``, 200, `["a-b"](args?: { x?: null }): Promise<unknown>`},
		{"depth", "deep", `{"properties":{"a":{"properties":{"b":{"properties":{"c":{}}},"d":{"type":"array","items":{"properties":{"e":{}}}}}}}}`, ``, 200,
			`deep(args?: { a?: { b?: object; d?: object[] } }): Promise<unknown>`},
		{"enum", "pick", `{"properties":{"e":{"enum":[1,2,3,4,5,6,7,8,9]}}}`, ``, 200,
			`pick(args?: { e?: 1 | 2 | 3 | 4 | 5 | 6 | …3 more }): Promise<unknown>`},
		{"recursion", "tree", `{"$defs":{"V":{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/V"}}]}},"properties":{"v":{"$ref":"#/$defs/V"},"t":{"$ref":"#"}}}`, ``, 200,
			`tree(args?: { v?: string | (string | (string | unknown[])[])[]; t?: { v?: string | (string | unknown[])[]; t?: object } }): Promise<unknown>`},
		{"a result's keys last longer than their types", "get", `{"properties":{"id":{"type":"string"},"verbose":{"type":"boolean"}},"required":["id"]}`,
			`{"properties":{"name":{"type":"string"},"address":{"type":"string"},"city":{"type":"string"}}}`, 85,
			`get(args: { id: string; verbose?: boolean }): Promise<{ name?, address?, city? }>`},
		{"result gives way first", "get", `{"properties":{"id":{"type":"string"},"verbose":{"type":"boolean"}},"required":["id"]}`,
			`{"properties":{"name":{"type":"string"},"address":{"type":"string"},"city":{"type":"string"}}}`, 70,
			`get(args: { id: string; /* 1 optional */ }): Promise<object>`},
		{"optional arguments by name", "get", `{"properties":{"id":{"type":"string"},"verbose":{"type":"boolean"},"format":{"type":"string"}},"required":["id"]}`, ``, 78,
			`get(args: { id: string; /* optional: verbose, format */ }): Promise<unknown>`},
		{"optional arguments counted", "get", `{"properties":{"id":{"type":"string"},"verbose":{"type":"boolean"},"format":{"type":"string"}},"required":["id"]}`, ``, 66,
			`get(args: { id: string; /* 2 optional */ }): Promise<unknown>`},
		{"no room", "a_rather_long_name_of_a_tool", `{"required":["id"]}`, ``, 24, `a_rather_long_name_of…`},
	}
	for _, tt := range tests {
		tool := &catalog.Tool{Server: "s", Name: tt.name, InputSchema: json.RawMessage(tt.in), OutputSchema: json.RawMessage(tt.out)}
		got := Signature(tool, tt.max)
		if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.what, got, tt.want)
		}
		if len(got) > tt.max {
			t.Errorf("%s: %d bytes, at most %d wanted", tt.what, len(got), tt.max)
		}
	}
}

func TestSignatureIsOneBoundedLine(t *testing.T) {
	for set, tools := range storedTools(t) {
		for _, tool := range tools {
			for _, most := range []int{0, 40, 120, 400} {
				got := Signature(tool, most)
				if len(got) > max(most, minSignature) || strings.ContainsAny(got, "\n\r") {
					t.Errorf("%s: %q within %d gave %q", set, tool.Name, most, got)
				}
			}
		}
	}
}
