package dispatch

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/schema"
)

// check validates the arguments. A schema that can't be used checks nothing but
// that the arguments are an object: the tool stays callable.
func (s *snapshot) check(t *catalog.Tool, args json.RawMessage) *Error {
	if trimmed := strings.TrimLeft(string(args[:min(len(args), 64)]), " \t\r\n"); trimmed == "" || trimmed[0] != '{' {
		return &Error{Kind: InvalidArguments, Tool: t.Path(), Server: t.Server, Message: "arguments must be an object"}
	}
	compiled, err := s.schema(schemaKey{tool: t})
	if err != nil {
		return nil
	}
	if bad := compiled.Validate(args); bad != nil {
		return &Error{Kind: InvalidArguments, Tool: t.Path(), Server: t.Server, Message: strings.Join(bad, "; ")}
	}
	return nil
}

// maxChecked is the largest result that is held against the tool's schema, in
// bytes: the check only tells, and must not cost more than the call.
const maxChecked = 256 << 10

// misfit says what of a result does not fit the schema that the tool's owner gave.
// It is a note, not an error: the answer may well be of use. Our own tools' are
// tested.
func (s *snapshot) misfit(t *catalog.Tool, res *catalog.Result) string {
	if t.OutputSchema == nil || res.Structured == nil || res.IsError || t.Server == catalog.Workspace || len(res.Structured) > maxChecked {
		return ""
	}
	compiled, err := s.schema(schemaKey{t, true})
	if err != nil {
		return ""
	}
	bad := compiled.Validate(res.Structured)
	if bad == nil {
		return ""
	}
	return fmt.Sprintf("%s: the result does not fit the tool's own outputSchema: %s", t.Path(), strings.Join(bad, "; "))
}

// schemaKey names one of the two schemas of a tool.
type schemaKey struct {
	tool   *catalog.Tool
	output bool
}

// stray says which arguments a tool does not name although its schema lets them
// pass: what is written wrong would be ignored in silence.
func (s *snapshot) stray(t *catalog.Tool, args json.RawMessage) string {
	compiled, err := s.schema(schemaKey{tool: t})
	if err != nil || len(args) > maxChecked {
		return ""
	}
	if list := compiled.Unknown(args); len(list) > 0 {
		return fmt.Sprintf("%s does not name the argument %s", t.Path(), strings.Join(list, ", "))
	}
	return ""
}

// schema compiles a schema of a tool, once.
func (s *snapshot) schema(key schemaKey) (*schema.Schema, error) {
	once, ok := s.schemas.Load(key)
	if !ok {
		text := key.tool.InputSchema
		if key.output {
			text = key.tool.OutputSchema
		}
		once, _ = s.schemas.LoadOrStore(key, sync.OnceValues(func() (*schema.Schema, error) { return schema.Compile(text) }))
	}
	return once.(func() (*schema.Schema, error))()
}
