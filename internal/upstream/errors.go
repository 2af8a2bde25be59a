package upstream

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Error is why a call of an upstream tool did not work.
type Error struct {
	// Message says what was wrong.
	Message string
	// Hint says what to do. May be empty.
	Hint string
	// Code and Data are those of the server's JSON-RPC error, if it gave one.
	Code *int64
	Data json.RawMessage
	// Large says that the result was above the bound.
	Large bool
}

// Error gives the message.
func (e *Error) Error() string { return e.Message }

// ErrorHint gives the hint.
func (e *Error) ErrorHint() string { return e.Hint }

// TooLarge reports whether the result was above the bound.
func (e *Error) TooLarge() bool { return e.Large }

// ErrorCode gives the server's code and data, or nil.
func (e *Error) ErrorCode() (*int64, json.RawMessage) { return e.Code, e.Data }

// rejected is what the SDK puts around an error of HTTP, as if the server had said it.
const rejected = "rejected by transport"

// tooLargeError stands for an answer that was not read to its end.
type tooLargeError struct{ size, limit int }

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("the result has more than %d bytes, at most %d are taken", e.size, e.limit)
}

// repeated is the prefix that some SDKs put before every message, once for each
// layer it goes through.
var repeated = regexp.MustCompile(`^(?:MCP error -?\d+: )+`)

// fromWire turns what the SDK gave into what a caller reads.
func (p *peer) fromWire(err error) *Error {
	var large *tooLargeError
	if errors.As(err, &large) {
		return &Error{Message: large.Error(), Hint: "ask for less: a narrower query, a range, a page", Large: true}
	}
	var rpc *jsonrpc.Error
	if errors.As(err, &rpc) && rpc.Message != rejected {
		code := rpc.Code
		msg := readable(p.redact(repeated.ReplaceAllString(rpc.Message, "")))
		if msg == "" {
			msg = fmt.Sprintf("the server answered with error %d and no message", code)
		}
		return &Error{Message: msg, Code: &code, Data: p.redactJSON(rpc.Data)}
	}
	text := err.Error()
	if _, why, ok := strings.Cut(text, rejected+": "); ok {
		text = why
	}
	return &Error{Message: "the server " + p.cfg.Name + " did not answer: " + clean(p.redact(text))}
}
