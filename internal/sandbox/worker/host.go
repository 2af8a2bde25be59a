package worker

import (
	"encoding/json"
	"errors"
	"fmt"

	v8 "github.com/tommie/v8go"

	"codemode-mcp/internal/sandbox/wire"
)

// host is the one function of the isolate that reaches Go. The prelude keeps it
// to itself; all its arguments are strings, but for call numbers.
func (r *runner) host(info *v8.FunctionCallbackInfo) (*v8.Value, error) {
	defer info.Release()
	args := info.Args()
	if len(args) == 0 {
		return nil, errors.New("host: no verb")
	}
	text := func(i int) string {
		if i < len(args) {
			return args[i].String()
		}
		return ""
	}
	// Nothing reaches the host from a source that leaves its wrapper and runs while
	// it is evaluated, and nothing that a finished script still does.
	if !r.script.begun || r.script.done {
		return nil, nil
	}
	switch verb := text(0); verb {
	case "call":
		r.script.open++
		return nil, r.sending(r.w.send(wire.Call, args[1].Uint32(), []byte(text(2)), []byte(text(3)), []byte(text(4))))
	case "log":
		return nil, r.sending(r.w.send(wire.Log, 0, []byte(text(1)), []byte(text(2))))
	case "done":
		status, body := text(1), []byte(text(2))
		r.script.done = true
		if status != "ok" {
			body = r.locate(body)
		}
		return nil, r.sending(r.w.send(wire.Done, 0, []byte(status), body, []byte(text(3))))
	case "kind":
		return v8.NewValue(r.iso, r.w.names.kind(text(1)))
	case "names":
		return v8.NewValue(r.iso, r.w.names.list(text(1)))
	default:
		return nil, fmt.Errorf("host: unknown verb %q", verb)
	}
}

// sending remembers a descriptor that failed: the loop ends the worker. Without
// the host there is nobody to tell.
func (r *runner) sending(err error) error {
	if err != nil {
		r.script.err = err
	}
	return nil
}

// locate turns the stack that the prelude saw into the author's positions.
func (r *runner) locate(body []byte) []byte {
	var f wire.Failure
	if err := json.Unmarshal(body, &f); err != nil {
		return body
	}
	pos := r.script.prepared.Locate(f.Stack)
	f.Line, f.Column, f.Excerpt, f.Stack = pos.Line, pos.Column, pos.Excerpt, pos.Stack
	out, err := json.Marshal(f)
	if err != nil {
		return body
	}
	return out
}
