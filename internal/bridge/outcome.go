package bridge

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/sandbox"
	"codemode-mcp/internal/sandbox/wire"
)

// envelope builds the answer from what the host saw.
func (r *run) envelope(out sandbox.Outcome) *Envelope {
	r.mu.Lock()
	defer r.mu.Unlock()
	env := &Envelope{
		Warnings:        slices.Concat(out.Warnings, r.leftOpen(out.End), r.warnings),
		ToolCallsCount:  r.budget.Used(),
		ExecutionTimeMs: out.Elapsed.Milliseconds(),
		Logs:            append([]string{}, r.logs...),
	}
	env.Content = r.emitted
	if out.End == sandbox.Returned {
		out.Result = wellFormed(out.Result)
		if r.finished != nil {
			env.Finished, out.Result = true, r.finished
		} else if violations := r.violations(out.Result); len(violations) > 0 {
			env.Error, env.Kind, env.Calls = failed, InvalidResult, r.calls
			env.Message = "the result does not fit resultSchema: " + strings.Join(violations, "; ")
			env.Hint = "return what the schema asks for; finish(result) checks it inside the script, where it can still be mended"
			return env
		}
		env.Result, env.Truncated = limits.Truncate(out.Result, r.limits.MaxResultChars)
		if env.Truncated {
			env.Warnings = append(env.Warnings, fmt.Sprintf(
				"the result has %d characters and was cut to %d: return only what you need", utf8.RuneCount(out.Result), r.limits.MaxResultChars))
			if id := r.b.sessions.Keep(r.key, out.Result); id != "" {
				env.ResultURI = ResultURIPrefix + id
			}
		}
		return env
	}
	env.Error = failed
	env.Calls = r.calls
	r.explain(env, out)
	return env
}

// leftOpen warns of calls that the end of a run cut off. A script that ended by
// itself has named those it did not wait for; a failure lists its calls.
func (r *run) leftOpen(end sandbox.End) []string {
	if end == sandbox.Returned || end == sandbox.Threw {
		return nil
	}
	var open []string
	for _, c := range r.calls {
		if c.Pending {
			open = append(open, c.Tool)
		}
	}
	if len(open) == 0 {
		return nil
	}
	const shown = 5
	more := ""
	if len(open) > shown {
		more = fmt.Sprintf(" and %d more", len(open)-shown)
		open = open[:shown]
	}
	return []string{fmt.Sprintf("the run ended while tool calls were in flight, and they were cancelled: %s%s (await every call)",
		strings.Join(open, ", "), more)}
}

// guestKind is the kind of a failure that the script's side names. A refusal must
// be one that the host has given in this run.
func (r *run) guestKind(f wire.Failure) Kind {
	switch refused := Kind(f.Refused); refused {
	case Forbidden, ToolCallLimit:
		if r.refused[refused] {
			return refused
		}
	}
	return Kind(f.Kind)
}

func (r *run) explain(env *Envelope, out sandbox.Outcome) {
	l := r.limits
	switch out.End {
	case sandbox.Threw:
		f := out.Failure
		env.Kind, env.Message, env.Hint = r.guestKind(f), f.Message, f.Hint
		env.Line, env.Column, env.Excerpt, env.Stack = f.Line, f.Column, f.Excerpt, f.Stack
		if env.Message == "" {
			env.Message = "the script failed without a message"
		}
	case sandbox.TimedOut:
		env.Kind = Timeout
		env.Message = fmt.Sprintf("the script ran longer than %d seconds and was stopped", l.TimeoutSeconds)
		env.Hint = "do less in one run, run independent calls in parallel with Promise.all, or raise CODE_MODE_TIMEOUT_SECONDS"
	case sandbox.OutOfMemory:
		env.Kind = MemoryLimit
		env.Message = fmt.Sprintf("the script used more than %d MB of memory and was stopped", l.MaxMemoryMB)
		env.Hint = "work on the data in smaller parts and keep only what you need, or raise CODE_MODE_MAX_MEMORY_MB"
	case sandbox.Cancelled:
		if r.exhausted {
			env.Kind = ToolCallLimit
			env.Message = fmt.Sprintf("the script went on calling tools above the limit of %d calls and was stopped", r.budget.Limit())
			env.Hint = moreCalls
			return
		}
		env.Kind, env.Message = Cancelled, "the run was cancelled by the client"
	case sandbox.Busy:
		env.Kind = Busy
		env.Message = fmt.Sprintf("no worker came free within %d seconds: the server is running as many scripts as it may", l.QueueSeconds)
		env.Hint = "the script did not run; try again in a few seconds"
	case sandbox.Unavailable:
		env.Kind = SandboxCrashed
		env.Message = "the sandbox can't be started, so the script did not run"
		env.Hint = "ask the operator to look at the server's log and at codemode-mcp doctor"
	default:
		env.Kind = SandboxCrashed
		env.Message = "the script's process ended unexpectedly"
		env.Hint = "the server is fine, and the next run gets a new process; if it happens again, simplify the script"
	}
}
