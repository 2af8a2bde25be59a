// Package jsonrpc says whether bytes are a JSON-RPC 2.0 message, before the SDK reads
// them: it would refuse them in the words of its language, or read what it must refuse.
//
// It owns the shape of a message and imports nothing of this module. What a method is
// and does belongs to the SDK.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
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
	// Answer says that it is no request: nothing may be answered to it.
	Answer bool
}

// maxID bounds ids that are numbers: the SDK, like JavaScript, reads them as such, and
// would answer to another one beyond (RFC 8259, section 6).
const maxID = 1<<53 - 1

// maxIDText bounds ids that are strings, in bytes as they are written.
const maxIDText = 1 << 10

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
		m.ID, m.Answer = nil, true
		return m, checkAnswer(id, wrongID, fields["error"])
	}
	if json.Unmarshal(fields["method"], &m.Method) != nil || m.Method == "" {
		return m, `"method" must be a string`
	}
	m.Params = fields["params"]
	if id != nil && strings.HasPrefix(m.Method, notifications) {
		return m, `a notification has no "id"`
	}
	return m, wrongID
}

// notifications is how the methods of MCP begin that want no answer. With an id the SDK
// takes them for requests, and answers what it likes.
const notifications = "notifications/"

// checkAnswer takes answers to requests of ours: the SDK ends the session over others.
func checkAnswer(id json.RawMessage, wrongID string, failure json.RawMessage) (problem string) {
	var e *struct {
		Code    int64           `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	switch {
	case id == nil || wrongID != "":
		return `an answer needs the "id" of its request`
	case failure != nil && json.Unmarshal(failure, &e) != nil:
		return `"error" must have a "code" and a "message"`
	}
	return ""
}

// checkID takes the ids that MCP has: strings and whole numbers.
func checkID(id json.RawMessage) (problem string) {
	switch {
	case len(id) > maxIDText:
		return fmt.Sprintf(`"id" may have %d bytes`, maxIDText)
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
