package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/dispatch"
)

// toolError is what a script catches: its fields become those of a ToolError.
type toolError struct {
	Tool   string `json:"tool,omitempty"`
	Server string `json:"server,omitempty"`
	Kind   string `json:"kind,omitempty"`
	// Message holds the hint too, in brackets at its end: scripts pass on messages.
	Message string            `json:"message"`
	Hint    string            `json:"hint,omitempty"`
	Code    *int64            `json:"code,omitempty"`
	Data    json.RawMessage   `json:"data,omitempty"`
	Content []json.RawMessage `json:"content,omitempty"`
}

func errorJSON(e toolError) json.RawMessage { return exactInts(mustJSON(e)) }

// ranAndFailed reports whether the error is the answer of a tool of ours, which
// have no results that say so: what a client of MCP gets as isError.
func ranAndFailed(e toolError) bool {
	return e.Kind == string(dispatch.Failed) && e.Server == catalog.Workspace
}

func (r *run) fromDispatch(err error) toolError {
	var de *dispatch.Error
	if !errors.As(err, &de) {
		return toolError{Kind: string(dispatch.Failed), Message: err.Error()}
	}
	if de.Kind == dispatch.UnknownTool && de.Hint == "" {
		told := *de // the error may be anybody's
		told.Hint = r.howToFind(de)
		de = &told
	}
	return toolError{Tool: de.Tool, Server: de.Server, Kind: string(de.Kind), Message: de.Error(), Hint: de.Hint, Code: de.Code, Data: de.Data}
}

// value turns a tool's result into the script's value: what is structured first,
// then text that is JSON, then text, then the blocks as they came. A result that
// says it is an error is thrown.
func value(a *dispatch.Answer, show func(catalog.Content) json.RawMessage) (json.RawMessage, *toolError) {
	msg, v := "", json.RawMessage(nil)
	if a.IsError {
		if msg = plainText(a.Result); msg == "" {
			msg = "the tool reported an error without a text"
		}
	} else {
		v = decoded(a.Result, show)
		if said, ok := errorField(v); ok && !declares(a.Tool.OutputSchema, "error") {
			msg = said
		}
	}
	if msg == "" {
		return v, nil
	}
	path := a.Tool.Path()
	return nil, &toolError{Tool: path, Server: a.Tool.Server, Kind: string(dispatch.Failed), Message: path + ": " + msg, Content: blocks(a.Result)}
}

func decoded(res *catalog.Result, show func(catalog.Content) json.RawMessage) json.RawMessage {
	if len(res.Structured) > 0 {
		return res.Structured
	}
	switch len(res.Content) {
	case 0:
		return json.RawMessage("null")
	case 1:
		return show(res.Content[0])
	}
	out := make([]json.RawMessage, len(res.Content))
	for i, c := range res.Content {
		out[i] = show(c)
	}
	return mustJSON(out)
}

func block(c catalog.Content) json.RawMessage {
	if c.Type != "text" {
		return c.Raw
	}
	if t := strings.TrimSpace(c.Text); t != "" && (t[0] == '{' || t[0] == '[') && json.Valid([]byte(t)) {
		return json.RawMessage(t)
	}
	return mustJSON(c.Text)
}

// rawJSON is the result as the tool gave it, in MCP's own shape.
func rawJSON(res *catalog.Result) json.RawMessage {
	return mustJSON(struct {
		Content           []json.RawMessage `json:"content"`
		StructuredContent json.RawMessage   `json:"structuredContent,omitempty"`
		IsError           bool              `json:"isError,omitempty"`
	}{blocks(res), res.Structured, res.IsError})
}

func blocks(res *catalog.Result) []json.RawMessage {
	out := make([]json.RawMessage, len(res.Content))
	for i, c := range res.Content {
		if c.Type == "text" && c.Raw == nil {
			out[i] = mustJSON(struct {
				Type string `json:"type"`
				Text string `json:"text"`
			}{"text", c.Text})
		} else {
			out[i] = c.Raw
		}
	}
	return out
}

func plainText(res *catalog.Result) string {
	var parts []string
	for _, c := range res.Content {
		if c.Type == "text" {
			parts = append(parts, c.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// errorField finds a non-empty string "error" at the top level of an object.
func errorField(v json.RawMessage) (string, bool) {
	v = bytes.TrimSpace(v)
	if len(v) == 0 || v[0] != '{' || !bytes.Contains(v, []byte(`"error"`)) {
		return "", false
	}
	var fields map[string]json.RawMessage // a struct would match "Error" too
	var msg string
	if json.Unmarshal(v, &fields) != nil || json.Unmarshal(fields["error"], &msg) != nil {
		return "", false
	}
	return msg, msg != ""
}

// declares reports whether a schema names a property at its top level.
func declares(schema json.RawMessage, property string) bool {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	return json.Unmarshal(schema, &s) == nil && s.Properties[property] != nil
}

func mustJSON(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("BUG: a value of ours does not encode: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
