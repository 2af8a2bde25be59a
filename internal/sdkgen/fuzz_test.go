package sdkgen

import (
	"encoding/json"
	"testing"

	"codemode-mcp/internal/catalog"
)

// FuzzDeclarations gives arbitrary bytes as schemas, and arbitrary text as a
// name and a description. Whatever they are, the file stays well formed.
func FuzzDeclarations(f *testing.F) {
	for _, tools := range storedTools(f) {
		for _, tool := range tools {
			f.Add([]byte(tool.InputSchema), tool.Name, tool.Description)
		}
	}
	for _, schema := range hostileSchemas() {
		if len(schema) < 20_000 {
			f.Add([]byte(schema), "tool", "")
		}
	}
	f.Fuzz(func(t *testing.T, schema []byte, name, words string) {
		tool := &catalog.Tool{
			Server: name, Name: name, Title: words, Description: words,
			InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema),
		}
		got := Declarations([]*catalog.Tool{tool}, nil)
		if err := wellFormed(got); err != nil {
			t.Errorf("%v in\n%s", err, got)
		}
		if again := Declarations([]*catalog.Tool{tool}, nil); again != got {
			t.Error("the same tool gave two texts")
		}
		if s := Signature(tool, 200); len(s) > 200 {
			t.Errorf("signature of %d bytes", len(s))
		}
	})
}
