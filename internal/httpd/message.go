package httpd

import (
	"bytes"
	"encoding/json"

	"codemode-mcp/internal/jsonrpc"
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
	batch   bool            // they came as one, be it of one message
	first   jsonrpc.Message
	version string // what the message says in _meta, or empty
}

// metaVersion is where a request of 2026-07-28 says its revision.
const metaVersion = "io.modelcontextprotocol/protocolVersion"

// parseMessage reads a body. The refusal is empty when it may go on.
func parseMessage(body []byte) (m message, code int, refusal string) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return m, jsonrpc.CodeInvalidRequest, "the body is empty: want one JSON-RPC message"
	}
	if !json.Valid(body) {
		return m, jsonrpc.CodeParseError, "parse error: the body is not JSON"
	}
	one := []json.RawMessage{body}
	switch body[0] {
	case '{':
	case '[':
		one, m.batch = nil, true
		if err := json.Unmarshal(body, &one); err != nil {
			return m, jsonrpc.CodeParseError, "parse error: the body is not JSON"
		}
	default:
		return m, jsonrpc.CodeInvalidRequest, "invalid request: want a JSON-RPC object"
	}
	if len(one) == 0 || len(one) > maxBatch {
		return m, jsonrpc.CodeInvalidRequest, "invalid request: a batch has 1 to 32 messages"
	}
	for i, raw := range one {
		if problem := m.add(raw, i == 0); problem != "" {
			return m, jsonrpc.CodeInvalidRequest, "invalid request: " + problem
		}
	}
	return m, 0, ""
}

// add takes one message, and says what is wrong with it.
func (m *message) add(raw json.RawMessage, first bool) (problem string) {
	m.count++
	one, problem := jsonrpc.Parse(raw)
	if m.id == nil {
		m.id = one.ID
	}
	if problem != "" {
		return problem
	}
	if one.ID != nil {
		m.calls++
	}
	if !first {
		return ""
	}
	m.first, m.method = one, one.Method
	var params map[string]json.RawMessage
	if json.Unmarshal(one.Params, &params) != nil {
		return ""
	}
	if m.method == "tools/call" {
		_ = json.Unmarshal(params["name"], &m.tool)
	}
	var meta map[string]json.RawMessage
	if json.Unmarshal(params["_meta"], &meta) == nil {
		_ = json.Unmarshal(meta[metaVersion], &m.version)
	}
	return ""
}
