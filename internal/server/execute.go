package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/bridge"
	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/schema"
)

// inputSchema describes execute_script's arguments: those that models should use
// and the aliases that they use. What else they send is answered by name.
func (s *Server) inputSchema() json.RawMessage {
	text := `{"type":"object","properties":{` +
		`"script":{"type":"string","description":"body of an async function: await, return"},` +
		`"arguments":{"type":"object","description":"input, there as args"},` +
		`"resultSchema":{"type":"object","description":"JSON Schema of the result"},`
	if s.opts.Handles {
		text += `"session":{"type":"string","description":"the session of an earlier answer, to go on with its state"},`
	}
	return json.RawMessage(text + `"code":{"type":"string"},"args":{"type":"object"}},"additionalProperties":false}`)
}

func (s *Server) executeDefinition(description string) *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name:         bridge.ToolName,
		Title:        "Execute script",
		Description:  description,
		InputSchema:  s.inputSchema(),
		OutputSchema: json.RawMessage(bridge.Schema),
		Annotations:  &mcp.ToolAnnotations{Title: "Execute script", OpenWorldHint: &no},
		Meta:         mcp.Meta{"anthropic/maxResultSizeChars": s.maxAnswer()},
	}
}

// maxAnswer is how long an answer may get in characters: result, logs and the
// rest of the envelope. Clients take at most 500,000.
func (s *Server) maxAnswer() int {
	l := s.limits()
	return min(500_000, l.MaxResultChars+l.MaxLogKB<<10+20_000)
}

// execute serves execute_script. What goes wrong is told in the envelope.
func (s *Server) execute(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	r, refusal := parseExecute(req.Params.Arguments)
	if refusal != "" {
		return envelopeResult(&bridge.Envelope{Error: "script_failed", Kind: bridge.InvalidArguments, Message: refusal,
			Hint: `pass {"script": "return 1", "arguments": {}}`, Logs: []string{}})
	}
	r.Principal, r.ID = s.principal(req), rand.Text()
	r.Session, r.Handles = s.session(req)
	p := startProgress(ctx, req)
	defer p.stop()
	r.Progress = p.call
	start := time.Now()
	env := s.opts.Bridge.Run(ctx, r)
	if s.opts.Ran != nil {
		s.opts.Ran(string(env.Kind), time.Since(start))
	}
	return envelopeResult(env)
}

// parseExecute reads the arguments. The refusal is empty when they are right.
func parseExecute(raw json.RawMessage) (r bridge.Request, refusal string) {
	var args map[string]json.RawMessage
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, &args); err != nil {
		return r, "the arguments must be an object"
	}
	known := []string{"script", "arguments", "resultSchema", "session", "code", "args"}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if slices.Contains(known, name) {
			continue
		}
		refusal = fmt.Sprintf("unknown argument %q; known: %s", name, strings.Join(known, ", "))
		if near := catalog.Nearest(name, known); len(near) > 0 {
			refusal = fmt.Sprintf("unknown argument %q: did you mean %q?", name, near[0])
		}
		return r, refusal
	}
	script, err := oneOf(args, "script", "code")
	if err != "" {
		return r, err
	}
	if script == nil {
		return r, `missing "script" (string): the program to run`
	}
	if json.Unmarshal(script, &r.Script) != nil {
		return r, fmt.Sprintf("script must be a string, got %s", kindOf(script))
	}
	input, err := oneOf(args, "arguments", "args")
	if err != "" {
		return r, err
	}
	if kind := kindOf(input); input != nil && kind != "object" && kind != "null" {
		return r, fmt.Sprintf("arguments must be an object, got %s", kind)
	} else if kind == "object" {
		r.Args = input
	}
	if raw := args["session"]; raw != nil && json.Unmarshal(raw, &r.Handle) != nil { // null is none
		return r, fmt.Sprintf("session must be a string, got %s", kindOf(raw))
	}
	refusal = parseSchema(args["resultSchema"], &r)
	return r, refusal
}

// parseSchema compiles the schema of the result.
func parseSchema(raw json.RawMessage, r *bridge.Request) (refusal string) {
	if kind := kindOf(raw); kind == "" || kind == "null" {
		return ""
	}
	compiled, err := schema.Compile(raw)
	if err != nil {
		return "resultSchema is no JSON Schema that can be used: " + err.Error()
	}
	r.ResultSchema = compiled
	return ""
}

// oneOf reads an argument that has two names.
func oneOf(args map[string]json.RawMessage, name, alias string) (json.RawMessage, string) {
	a, b := args[name], args[alias]
	if a != nil && b != nil && !bytes.Equal(a, b) {
		return nil, fmt.Sprintf("%q and its alias %q are both given and differ: pass one", name, alias)
	}
	if a == nil {
		a = b
	}
	return a, ""
}

func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// envelopeResult puts an envelope on the wire: structured, and as text for
// clients that read only that.
func envelopeResult(env *bridge.Envelope) (*mcp.CallToolResult, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(env); err != nil {
		return nil, fmt.Errorf("encode envelope: %w", err)
	}
	text := bytes.TrimRight(b.Bytes(), "\n")
	blocks := []mcp.Content{&mcp.TextContent{Text: string(text)}}
	for _, raw := range env.Content {
		blocks = append(blocks, rawContent(raw))
	}
	return &mcp.CallToolResult{
		IsError:           env.Failed(),
		Content:           blocks,
		StructuredContent: json.RawMessage(text),
	}, nil
}
