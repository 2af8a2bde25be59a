package server

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
)

// result puts a tool's result on the wire.
func result(res *catalog.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{IsError: res.IsError, Content: make([]mcp.Content, 0, len(res.Content))}
	for _, c := range res.Content {
		out.Content = append(out.Content, content(c))
	}
	if res.Structured != nil {
		out.StructuredContent = res.Structured
	}
	return out
}

func content(c catalog.Content) mcp.Content {
	if c.Type == "text" && c.Raw == nil {
		return &mcp.TextContent{Text: c.Text}
	}
	return rawContent(c.Raw)
}

// rawContent is a content block from its JSON.
func rawContent(raw json.RawMessage) mcp.Content {
	var decoded mcp.CallToolResult // the SDK decodes blocks only within a result
	if err := json.Unmarshal([]byte(`{"content":[`+string(raw)+`]}`), &decoded); err != nil || len(decoded.Content) != 1 {
		var kind struct {
			Type string `json:"type"`
		}
		_ = json.Unmarshal(raw, &kind) // what can't be read has no type to name
		return &mcp.TextContent{Text: "(a block of type " + kind.Type + " that could not be read was left out)"}
	}
	return decoded.Content[0]
}

// errorResult is a call that did not work, as the model should read it: a tool
// error, not a protocol error (SEP-1303).
func errorResult(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}},
	}
}
