// Package jsonrpc says whether bytes are a JSON-RPC 2.0 message, before the SDK reads
// them: it would refuse them in the words of its language, or read what it must refuse.
//
// It owns the shape of a message and imports nothing of this module. What a method is
// and does belongs to the SDK.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// The codes of what is no message, or not one of its method (JSON-RPC 2.0, section 5.1).
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeInvalidParams  = -32602
)

// Message is a message, as far as it tells what is to be done with it.
type Message struct {
	// Method is empty for an answer.
	Method string
	// ID is that of a request, as it was written. It is nil for a notification and for an
	// answer. With a problem it is what an error may be sent to.
	ID json.RawMessage
	// Params are as they were written, and nil when there are none.
	Params json.RawMessage
}

// maxID bounds ids that are numbers: the SDK, like JavaScript, reads them as such, and
// would answer to another one beyond (RFC 8259, section 6).
const maxID = 1<<53 - 1

// Parse reads one message. The problem says what is wrong with it, in words for its
// sender, and is empty if nothing is. Keys are matched exactly, which encoding/json does
// for maps only.
func Parse(raw []byte) (m Message, problem string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || fields == nil {
		return m, "want a JSON-RPC object"
	}
	id, wrongID := fields["id"], ""
	if id != nil {
		id = bytes.TrimSpace(id)
		if wrongID = checkID(id); wrongID == "" {
			m.ID = id
		}
	}
	var version string
	if json.Unmarshal(fields["jsonrpc"], &version) != nil || version != "2.0" {
		return m, `"jsonrpc" must be "2.0"`
	}
	if fields["method"] == nil {
		if fields["result"] == nil && fields["error"] == nil {
			return m, `"method" is missing`
		}
		m.ID = nil
		return m, ""
	}
	if json.Unmarshal(fields["method"], &m.Method) != nil || m.Method == "" {
		return m, `"method" must be a string`
	}
	m.Params = fields["params"]
	return m, wrongID
}

// checkID takes the ids that MCP has: strings and whole numbers.
func checkID(id json.RawMessage) (problem string) {
	switch {
	case id[0] == '"':
		return ""
	case id[0] != '-' && (id[0] < '0' || id[0] > '9'):
		return `"id" must be a string or a number`
	}
	if n, err := strconv.ParseInt(string(id), 10, 64); err != nil || n > maxID || n < -maxID {
		return `"id" must be a string or a whole number of at most 2^53 - 1`
	}
	return ""
}
