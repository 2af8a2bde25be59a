package dispatch

import (
	"encoding/json"
	"errors"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
)

// Kind says why a call did not work, for programs.
type Kind string

// The kinds of errors.
const (
	// UnknownTool: no tool of that name, or several.
	UnknownTool Kind = "unknown_tool"
	// Forbidden: the principal's role is too low.
	Forbidden Kind = "forbidden"
	// InvalidArguments: the arguments do not fit the tool's schema.
	InvalidArguments Kind = "invalid_arguments"
	// Failed: the tool ran and failed.
	Failed Kind = "failed"
	// TooLarge: the result is above the limit.
	TooLarge Kind = "too_large"
	// Timeout: the tool did not answer in time.
	Timeout Kind = "timeout"
	// Cancelled: the caller gave up.
	Cancelled Kind = "cancelled"
)

// Error is why a call did not work.
type Error struct {
	Kind Kind
	// Tool is the tool's path, or the name as asked for.
	Tool string
	// Server is the tool's server, where that is known.
	Server string
	// Message says what was wrong, for people and models.
	Message string
	// Hint says what to do. May be empty.
	Hint string
	// Code and Data are those of the JSON-RPC error that the tool's server gave, or
	// nil.
	Code *int64
	Data json.RawMessage
	// Err is the cause, or nil.
	Err error
}

// Error gives the tool, the message and the hint in one line.
func (e *Error) Error() string {
	s := e.Message
	if e.Kind != UnknownTool {
		s = e.Tool + ": " + s
	}
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func lookupError(name string, err error) *Error {
	var forbidden *catalog.ForbiddenError
	if errors.As(err, &forbidden) {
		return &Error{Kind: Forbidden, Tool: forbidden.Tool.Path(), Server: forbidden.Tool.Server, Err: err,
			Message: "needs the role " + forbidden.Tool.Role.String() + ", and this session has " + forbidden.Has.String(),
			Hint:    "do without it, or ask the operator for the role"}
	}
	return &Error{Kind: UnknownTool, Tool: name, Message: err.Error(), Err: err}
}

// Help says more about a call that was written wrong. Nil functions say nothing.
type Help struct {
	// Signature is how a tool is called.
	Signature func(c *catalog.Catalog, p policy.Principal, t *catalog.Tool) string
	// Nearest are the tools that a name which means none may have meant, as they are
	// called.
	Nearest func(c *catalog.Catalog, p policy.Principal, name string) []string
}

// aboutName adds the nearest tools to the error of a name that means none.
func (h Help) aboutName(e *Error, c *catalog.Catalog, p policy.Principal) {
	var missing *catalog.NotFoundError
	if h.Nearest == nil || !errors.As(e.Err, &missing) {
		return
	}
	if list := h.Nearest(c, p, missing.Name); len(list) > 0 {
		e.Message += "\nnearest tools:\n  " + strings.Join(list, "\n  ")
	}
}

// aboutArguments adds the tool's signature to the error of wrong arguments.
func (h Help) aboutArguments(e *Error, c *catalog.Catalog, p policy.Principal, t *catalog.Tool) {
	if h.Signature == nil {
		return
	}
	if s := h.Signature(c, p, t); s != "" {
		e.Hint = "it is called as " + s
	}
}
