// Package catalog holds the tools a server offers, as immutable snapshots, and
// finds a tool by the names that clients, scripts and people use for it.
//
// It owns [Tool], [Result], [Catalog] and the rules for names. It knows no MCP
// wire format and no JavaScript engine; of this module it imports only policy and near.
package catalog

import (
	"context"
	"encoding/json"
	"time"

	"codemode-mcp/internal/policy"
)

// Workspace is the server name of the built-in tools. Their public names carry
// no prefix.
const Workspace = "workspace"

// Tool is one callable tool, built in or from an upstream server.
type Tool struct {
	// Server is the namespace the tool lives in, such as "workspace".
	Server string
	// Name is the tool's own name within its server.
	Name string
	// Title is a short name for people. May be empty.
	Title string
	// Description says what the tool does, for the model.
	Description string
	// InputSchema is the JSON Schema of the arguments, byte for byte as the
	// tool's owner wrote it. Its root is an object.
	InputSchema json.RawMessage
	// OutputSchema is the JSON Schema of a structured result, or nil.
	OutputSchema json.RawMessage
	// Annotations are the owner's hints. They never grant anything.
	Annotations Annotations
	// Role is the least role that may see and call the tool.
	Role policy.Role
	// Timeout bounds one call. Zero means the bound of every call.
	Timeout time.Duration
	// Stale says that the owner is not reachable, and that this is what it offered
	// last.
	Stale bool
	// Invoke runs the tool. It must be safe for concurrent use and must return
	// soon after ctx ends. args is a JSON object that fits InputSchema.
	Invoke func(ctx context.Context, args json.RawMessage) (*Result, error)

	names // set by New
}

// Annotations are the behaviour hints of MCP's ToolAnnotations. A nil pointer
// means that the owner did not say.
type Annotations struct {
	ReadOnly    bool
	Destructive *bool
	Idempotent  bool
	OpenWorld   *bool
}

// Result is what a tool answered.
type Result struct {
	// Structured is the structured result as JSON, or nil when there is none.
	Structured json.RawMessage
	// Content is the unstructured result.
	Content []Content
	// IsError says that the tool itself reports a failure.
	IsError bool
}

// Content is one block of an unstructured result.
type Content struct {
	// Type is "text", "image", "audio", "resource" or "resource_link".
	Type string
	// Text is the text of a text block.
	Text string
	// Raw is the whole block as JSON for every other type, and for a text block that
	// has more than its text.
	Raw json.RawMessage
}

// Text makes a text block.
func Text(s string) Content { return Content{Type: "text", Text: s} }
