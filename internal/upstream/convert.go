package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"codemode-mcp/internal/catalog"
)

const (
	// maxToolName bounds a tool's name, in bytes.
	maxToolName = 256
	// maxSchemaBytes bounds a schema, in bytes.
	maxSchemaBytes = 1 << 20
	// maxTitle bounds a title, in bytes.
	maxTitle = 1 << 10
	// maxDescription bounds a description, in bytes.
	maxDescription = 64 << 10
)

// anyObject stands for a schema that can't be used: the tool stays callable.
var anyObject = json.RawMessage(`{"type":"object"}`)

// convert makes tools of definitions, by the rules in force. One that can't be
// used costs itself only.
func (p *peer) convert(raw []json.RawMessage, stale bool) (tools []catalog.Tool, warnings []string) {
	rules := p.rules.Load()
	seen := map[string]bool{}
	for i, text := range raw {
		t, odd, err := p.tool(text)
		t.Role, t.Timeout = rules.Role, rules.Timeout
		switch {
		case err != nil:
			warnings = append(warnings, fmt.Sprintf("tool %d of the list was left out: %v", i+1, err))
		case seen[t.Name]:
			warnings = append(warnings, fmt.Sprintf("the tool %q is in the list twice: the first is offered", t.Name))
		case !rules.Allows(t.Name):
			seen[t.Name] = true
		default:
			seen[t.Name] = true
			t.Stale = stale
			tools = append(tools, t)
			if odd != "" {
				warnings = append(warnings, fmt.Sprintf("the tool %q: %s", t.Name, odd))
			}
		}
	}
	return tools, warnings
}

// tool reads one definition. The keys are matched exactly, which encoding/json
// does for maps only.
func (p *peer) tool(text json.RawMessage) (t catalog.Tool, odd string, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return t, "", fmt.Errorf("it is no object")
	}
	t = catalog.Tool{Server: p.cfg.Name}
	if json.Unmarshal(fields["name"], &t.Name) != nil || t.Name == "" || len(t.Name) > maxToolName {
		return t, "", fmt.Errorf("its name is missing or longer than %d bytes", maxToolName)
	}
	// Words that are no strings are left out.
	_ = json.Unmarshal(fields["title"], &t.Title)
	_ = json.Unmarshal(fields["description"], &t.Description)
	// They are shown on terminals and to models, where nothing may hide in them.
	t.Title, t.Description = clip(clean(t.Title), maxTitle), clip(readable(t.Description), maxDescription)
	t.InputSchema, odd = schema(fields["inputSchema"], "inputSchema")
	if t.InputSchema == nil {
		t.InputSchema = anyObject
	}
	if out := fields["outputSchema"]; len(out) > 0 && string(out) != "null" {
		var oddOut string
		if t.OutputSchema, oddOut = schema(out, "outputSchema"); odd == "" {
			odd = oddOut
		}
	}
	t.Annotations = annotations(fields["annotations"])
	name := t.Name
	t.Invoke = func(ctx context.Context, args json.RawMessage) (*catalog.Result, error) {
		return p.call(ctx, name, args)
	}
	return t, odd, nil
}

// schema gives a schema as it came, or nothing and why.
func schema(raw json.RawMessage, key string) (json.RawMessage, string) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || raw[0] != '{':
		return nil, key + " is no object: any arguments are passed on"
	case len(raw) > maxSchemaBytes:
		return nil, fmt.Sprintf("%s has %d bytes, at most %d are used", key, len(raw), maxSchemaBytes)
	}
	return raw, ""
}

func annotations(raw json.RawMessage) (a catalog.Annotations) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return a
	}
	// A hint that is no boolean is none.
	_ = json.Unmarshal(fields["readOnlyHint"], &a.ReadOnly)
	_ = json.Unmarshal(fields["idempotentHint"], &a.Idempotent)
	_ = json.Unmarshal(fields["destructiveHint"], &a.Destructive)
	_ = json.Unmarshal(fields["openWorldHint"], &a.OpenWorld)
	return a
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return string(bytes.ToValidUTF8([]byte(s[:n]), nil)) + "..."
}
