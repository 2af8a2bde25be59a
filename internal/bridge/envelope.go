package bridge

import "encoding/json"

// Kind says why a run failed, for programs.
type Kind string

// The kinds of failures.
const (
	SyntaxError           Kind = "syntax_error"
	Exception             Kind = "exception"
	Timeout               Kind = "timeout"
	MemoryLimit           Kind = "memory_limit"
	ToolCallLimit         Kind = "tool_call_limit"
	ResultNotSerializable Kind = "result_not_serializable"
	InvalidResult         Kind = "invalid_result"
	Cancelled             Kind = "cancelled"
	SandboxCrashed        Kind = "sandbox_crashed"
	Busy                  Kind = "busy"
	Forbidden             Kind = "forbidden"
	InvalidArguments      Kind = "invalid_arguments"
)

// Envelope is the answer to one run. The fields stand in the order in which they
// are written: what a client cuts off is the end.
//
// A run that succeeded has no Error; one that failed has "script_failed" there.
type Envelope struct {
	Error   string `json:"error,omitempty"`
	Kind    Kind   `json:"kind,omitempty"`
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
	// Line and Column count from 1 in the script as it was sent.
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Excerpt string `json:"excerpt,omitempty"`
	Stack   string `json:"stack,omitempty"`

	// Finished says that the script ended by finish.
	Finished bool `json:"finished,omitempty"`
	// Truncated says that Result was cut. The whole of it is at ResultURI.
	Truncated bool     `json:"truncated,omitempty"`
	ResultURI string   `json:"resultUri,omitempty"`
	Warnings  []string `json:"warnings,omitempty"`
	// Session is the handle of the run's session, where the transport has none.
	Session string `json:"session,omitempty"`

	// ToolCallsCount is the number of tool calls that were let through.
	ToolCallsCount int `json:"toolCallsCount"`
	// ExecutionTimeMs is the wall time of the script, in milliseconds.
	ExecutionTimeMs int64 `json:"executionTimeMs"`
	// Calls lists the inner calls of a run that failed.
	Calls  []CallRecord    `json:"calls,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Logs   []string        `json:"logs"`

	// Content are the blocks that the script emitted. They stand beside the
	// envelope in the answer, not in it.
	Content []json.RawMessage `json:"-"`
}

// CallRecord is one inner call that has run.
type CallRecord struct {
	Tool string `json:"tool"`
	OK   bool   `json:"ok"`
	// Ms is the call's wall time in milliseconds. A call that was cut off by the
	// end of the run has OK false and Pending true.
	Ms      int64 `json:"ms"`
	Pending bool  `json:"pending,omitempty"`
}

// Failed reports whether the run failed.
func (e *Envelope) Failed() bool { return e.Error != "" }

// failed is the value of Error in a failure.
const failed = "script_failed"

// Schema is the JSON Schema of an envelope. Its root is an object: some clients
// drop a tool whose output schema is anything else. It is a part of every list of
// tools: what each field means is in docs/scripts.md.
const Schema = `{"type":"object","properties":{` +
	`"error":{"const":"script_failed"},"kind":{"type":"string"},"message":{"type":"string"},"hint":{"type":"string"},` +
	`"line":{"type":"integer"},"column":{"type":"integer"},"excerpt":{"type":"string"},"stack":{"type":"string"},` +
	`"finished":{"type":"boolean"},"truncated":{"type":"boolean"},"resultUri":{"type":"string","description":"where the whole result is"},` +
	`"warnings":{"type":"array","items":{"type":"string"}},` +
	`"session":{"type":"string"},"toolCallsCount":{"type":"integer"},"executionTimeMs":{"type":"integer"},` +
	`"calls":{"type":"array","items":{"type":"object"}},"result":{},` +
	`"logs":{"type":"array","items":{"type":"string"}}},` +
	`"required":["toolCallsCount","executionTimeMs","logs"]}`
