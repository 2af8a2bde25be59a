package sandbox

import (
	"encoding/json"
	"fmt"
	"time"

	"codemode-mcp/internal/sandbox/wire"
)

// Job is one script to run.
type Job struct {
	Script string
	// Args is the script's input, a JSON value.
	Args json.RawMessage
	// Names tells the script's side which tools exist.
	Names Names
	// Meta are the bounds that the worker keeps by itself.
	Meta wire.Meta
	// Timeout is the run's wall time.
	Timeout time.Duration
	// Human counts the calls that wait for a human. Nil means that none ever does.
	Human *Human
}

// Names is the list of tools for the worker, encoded once per version.
type Names struct {
	// Key tells lists apart: one worker is sent one list once.
	Key  string
	JSON []byte
}

// Handler serves what a script asks of the host. Its methods are called from the
// worker's reading goroutine and must not block.
type Handler interface {
	// Call starts a tool call. The answer goes to reply, once, from any goroutine.
	Call(raw bool, path string, args json.RawMessage, reply func(ok bool, body json.RawMessage))
	// Log takes one console line.
	Log(level, text string)
	// Ask answers a question that the script waits for, by [wire.AskState] and its
	// like. The answer goes to reply, once, from any goroutine.
	Ask(verb string, body json.RawMessage, reply func(ok bool, body json.RawMessage))
	// Emit takes a content block for the answer.
	Emit(block json.RawMessage)
}

// End says how a run ended.
type End int

// The ends of a run. The host's own clock and flags decide between them, never
// the worker's word alone.
const (
	// Returned: the script came to its end. Result holds its value.
	Returned End = iota
	// Threw: the script failed by itself. Failure says how.
	Threw
	// TimedOut: the wall time was over.
	TimedOut
	// Cancelled: the caller gave up.
	Cancelled
	// OutOfMemory: the script hit the memory limit.
	OutOfMemory
	// Crashed: the worker died or broke the protocol. Detail says what is known.
	Crashed
	// Busy: no worker came free in time; the script did not run.
	Busy
	// Unavailable: no worker can be started; the script did not run.
	Unavailable
)

// Outcome is what a run came to.
type Outcome struct {
	End      End
	Result   json.RawMessage // when Returned
	Failure  wire.Failure    // when Threw
	Warnings []string
	// State is what the run did to the session's state, when it ended by itself.
	State  wire.StateChange
	Detail string // when Crashed or Unavailable: for the log and the operator
	// Elapsed is the wall time from the first byte of the script to its end.
	Elapsed time.Duration
}

const (
	// maxWarnings and maxWarning bound what a worker may say in warnings.
	maxWarnings = 20
	maxWarning  = 600 // bytes each
	maxStack    = 4000
	maxMessage  = 5000
)

// readDone decodes a Done frame. Everything in it is the script's own word.
func readDone(f wire.Frame) (Outcome, error) {
	parts, err := f.Parts(4)
	if err != nil {
		return Outcome{}, err
	}
	var out Outcome
	if err := json.Unmarshal(parts[2], &out.Warnings); err != nil {
		return Outcome{}, fmt.Errorf("warnings: %w", err)
	}
	if len(parts[3]) > 0 {
		if err := json.Unmarshal(parts[3], &out.State); err != nil {
			return Outcome{}, fmt.Errorf("state: %w", err)
		}
	}
	out.Warnings = out.Warnings[:min(len(out.Warnings), maxWarnings)]
	for i, w := range out.Warnings {
		out.Warnings[i] = cut(w, maxWarning)
	}
	if string(parts[0]) == "ok" {
		if !json.Valid(parts[1]) {
			return Outcome{}, fmt.Errorf("the result is not JSON")
		}
		out.Result = parts[1]
		return out, nil
	}
	if err := json.Unmarshal(parts[1], &out.Failure); err != nil {
		return Outcome{}, fmt.Errorf("failure: %w", err)
	}
	fl := &out.Failure
	fl.Message, fl.Stack, fl.Hint, fl.Excerpt = cut(fl.Message, maxMessage), cut(fl.Stack, maxStack), cut(fl.Hint, maxWarning), cut(fl.Excerpt, maxWarning)
	switch fl.Kind {
	case "syntax_error", "exception", "result_not_serializable":
		out.End = Threw
	case "memory_limit":
		out.End = OutOfMemory
	default:
		return Outcome{}, fmt.Errorf("failure of unknown kind %q", cut(fl.Kind, 40))
	}
	return out, nil
}
