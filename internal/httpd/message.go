package httpd

import (
	"bytes"
	"encoding/json"
)

// maxBatch bounds the messages of one body. Only revisions before 2025-06-18 have
// more than one.
const maxBatch = 32

// message is what the outer layer needs to know of a body. The SDK reads it again,
// strictly; nothing here decides what is run.
type message struct {
	id      json.RawMessage // of the first request, or nil
	method  string          // of the first message
	tool    string          // when it calls one
	calls   int             // requests that want an answer
	count   int             // messages
	version string          // what the message says in _meta, or empty
}

// metaVersion is where a request of 2026-07-28 says its revision.
const metaVersion = "io.modelcontextprotocol/protocolVersion"

// parseMessage reads a body. The refusal is empty when it may go on.
func parseMessage(body []byte) (m message, code int, refusal string) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return m, codeInvalidRequest, "the body is empty: want one JSON-RPC message"
	}
	if !json.Valid(body) {
		return m, codeParseError, "parse error: the body is not JSON"
	}
	one := []json.RawMessage{body}
	switch body[0] {
	case '{':
	case '[':
		one = nil
		if err := json.Unmarshal(body, &one); err != nil {
			return m, codeParseError, "parse error: the body is not JSON"
		}
	default:
		return m, codeInvalidRequest, "invalid request: want a JSON-RPC object"
	}
	if len(one) == 0 || len(one) > maxBatch {
		return m, codeInvalidRequest, "invalid request: a batch has 1 to 32 messages"
	}
	for i, raw := range one {
		if problem := m.add(raw, i == 0); problem != "" {
			return m, codeInvalidRequest, "invalid request: " + problem
		}
	}
	return m, 0, ""
}

// add takes one message, and says what is wrong with it: the SDK would in the words
// of its language. Keys are matched exactly, which encoding/json does for maps only.
func (m *message) add(raw json.RawMessage, first bool) (problem string) {
	m.count++
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || fields == nil {
		return "want a JSON-RPC object"
	}
	id := bytes.TrimSpace(fields["id"])
	named := len(id) > 0 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
	if m.id == nil && named {
		m.id = json.RawMessage(id)
	}
	var method, version string
	switch {
	case json.Unmarshal(fields["jsonrpc"], &version) != nil || version != "2.0":
		return `"jsonrpc" must be "2.0"`
	case fields["method"] == nil && fields["result"] == nil && fields["error"] == nil:
		return `"method" is missing`
	case fields["method"] != nil && (json.Unmarshal(fields["method"], &method) != nil || method == ""):
		return `"method" must be a string`
	case method != "" && len(id) > 0 && !named:
		return `"id" must be a string or a number`
	}
	if method != "" && named {
		m.calls++
	}
	if !first {
		return ""
	}
	m.method = method
	var params map[string]json.RawMessage
	if json.Unmarshal(fields["params"], &params) != nil {
		return ""
	}
	if method == "tools/call" {
		_ = json.Unmarshal(params["name"], &m.tool)
	}
	var meta map[string]json.RawMessage
	if json.Unmarshal(params["_meta"], &meta) == nil {
		_ = json.Unmarshal(meta[metaVersion], &m.version)
	}
	return ""
}
