package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	v8 "github.com/tommie/v8go"

	"codemode-mcp/internal/sandbox/wire"
	"codemode-mcp/internal/script"
)

// scriptState is what the event loop knows of the script that runs.
type scriptState struct {
	prepared script.Prepared
	maxArgs  int          // of one call, in bytes
	input    string       // of the run, as JSON
	begun    bool         // the source was evaluated: what runs now is the script
	entry    *v8.Function // the script, until it is called
	entryErr error        // what the call came to
	done     bool
	finished bool         // by finish: V8 was told to stop, and the process is sound
	open     int          // calls without an answer
	queue    []wire.Frame // replies that came while the script waited for an Ask
	timers   []timer      // by when they are due
	err      error        // a descriptor that failed in a callback
}

// run runs the script of a Run frame to its end and sends Done.
func (r *runner) run(f wire.Frame) error {
	parts, err := f.Parts(4)
	if err != nil {
		return err
	}
	meta, source, args := string(parts[0]), string(parts[1]), string(parts[2])
	r.script.input = args
	if err := r.w.names.load(parts[3]); err != nil {
		return err
	}
	var bounds wire.Meta
	if err := json.Unmarshal(parts[0], &bounds); err != nil {
		return fmt.Errorf("read bounds: %w", err)
	}
	r.script.maxArgs = bounds.MaxArgs
	watch := r.w.watchCompiling(time.Duration(bounds.Compile) * time.Millisecond)
	fn, failure := r.compile(source, meta, args)
	watch.end()
	if failure != nil {
		return r.stop(*failure)
	}
	switch err := r.begin(fn, len(source) >= wire.BegunFrom); {
	case errors.Is(err, errUncompiled):
		return r.stop(*syntaxFailure(r.script.prepared.TooDeep()))
	case err != nil:
		return r.stop(r.uncaught(err))
	}
	return r.loop()
}

// compile makes the script's function and hands it to the prelude, with how long
// its text is: one that is shorter is not the whole script.
func (r *runner) compile(source, meta, args string) (*v8.Function, *wire.Failure) {
	e := &engine{r: r}
	p, refused := script.Prepare(source, e)
	if refused != nil {
		return nil, syntaxFailure(refused)
	}
	r.script.prepared = p
	fn, err := e.code.Run(r.ctx)
	if err != nil {
		return nil, r.failed(err)
	}
	form := ""
	if p.Call {
		form = "call"
	}
	given := []v8.Valuer{fn}
	for _, v := range []any{int32(len16(p.Code)), meta, args, form, p.Note} {
		value, err := v8.NewValue(r.iso, v)
		if err != nil {
			return nil, r.failed(err)
		}
		given = append(given, value)
	}
	taken, err := r.prepare.Call(v8.Undefined(r.iso), given...)
	if err != nil {
		return nil, r.failed(err)
	}
	if !taken.Boolean() {
		return nil, &wire.Failure{Kind: "syntax_error", Message: "SyntaxError: the script closes a bracket that it did not open"}
	}
	entry, err := fn.AsFunction()
	if err != nil {
		return nil, r.failed(err)
	}
	return entry, nil
}

// begin runs the script until it first waits.
func (r *runner) begin(entry *v8.Function, tell bool) error {
	if r.w.limit != nil { // nil in the rehearsal
		if err := r.w.limit.Begin(); err != nil {
			return err
		}
	}
	if tell {
		if err := r.w.send(wire.Begun, 0); err != nil {
			return err
		}
	}
	r.script.entry = entry
	r.script.begun = true // from here on it is the script that runs
	verb, err := v8.NewValue(r.iso, "enter")
	if err != nil {
		return err
	}
	if _, err := r.bridge.Call(v8.Undefined(r.iso), verb); err != nil {
		return err
	}
	return r.script.entryErr
}

// enter calls the script and hands its promise to the prelude. It runs within a
// call that came from here, not from JavaScript: V8 then runs no reaction of a
// promise before both are done, and the script's stack begins with the script.
func (r *runner) enter() {
	entry := r.script.entry
	r.script.entry = nil
	promise, err := entry.Call(v8.Undefined(r.iso))
	switch {
	case err == nil:
	case r.halted():
		r.script.entryErr = err
		return
	default: // what an async function throws comes as a rejection: nothing of it has run
		r.script.entryErr = errUncompiled
		return
	}
	_, r.script.entryErr = r.started.Call(v8.Undefined(r.iso), promise)
}

// errUncompiled means that V8, which compiles a function when it is called, found
// the script too deep for its stack.
var errUncompiled = errors.New("the script nests too deeply")

// loop feeds answers to the script until it is done.
func (r *runner) loop() error {
	for {
		switch {
		case r.script.err != nil:
			return r.script.err
		case r.script.done:
			return nil
		case r.halted():
			return r.stop(wire.Failure{Kind: "terminated", Message: "the script was stopped"})
		}
		f, err := r.next()
		if err != nil {
			return err
		}
		if r.w.stopped.Load() { // while it slept: nothing more runs
			continue
		}
		if f == nil && len(r.script.timers) > 0 {
			if err := r.fireTimer(); err != nil {
				return err
			}
			continue
		}
		if f == nil {
			return r.fail(wire.Failure{Kind: "exception",
				Message: "the script waits for a promise that nothing can settle: no tool call and no timer is pending",
				Hint:    "settle the promise in the script, or await a tool call or a timer"})
		}
		if err := r.answer(*f); err != nil {
			return err
		}
	}
}

// next waits for the next reply. It returns nil when a timer is due first, or
// when nothing is left to wait for.
func (r *runner) next() (*wire.Frame, error) {
	if len(r.script.queue) > 0 {
		f := r.script.queue[0]
		r.script.queue = r.script.queue[1:]
		return &f, nil
	}
	var until time.Time
	if len(r.script.timers) > 0 {
		until = r.script.timers[0].due
		if r.script.open == 0 { // no answer can come before
			r.w.sleep(until)
			return nil, nil
		}
	} else if r.script.open == 0 {
		return nil, nil
	}
	f, ok, err := r.w.nextFrame(until)
	if !ok || err != nil {
		return nil, err
	}
	return &f, nil
}

// answer settles one call and runs what waited for it.
func (r *runner) answer(f wire.Frame) error {
	parts, err := f.Parts(2)
	if err != nil || f.Kind != wire.Reply {
		return fmt.Errorf("the host sent %c in a run", f.Kind)
	}
	r.script.open--
	id, err := v8.NewValue(r.iso, f.ID)
	if err != nil {
		return err
	}
	ok, err := v8.NewValue(r.iso, string(parts[0]) == "ok")
	if err != nil {
		return err
	}
	text, err := v8.NewValue(r.iso, string(parts[1]))
	if err != nil { // the text does not fit in the heap
		return r.stop(r.uncaught(err))
	}
	_, err = r.settle.Call(v8.Undefined(r.iso), id, ok, text)
	id.Release()
	ok.Release()
	text.Release()
	if err != nil && !r.script.done {
		return r.stop(r.uncaught(err))
	}
	return nil
}

// halted reports whether V8 stopped the script: on the host's word, or near the
// heap limit (v8go's callback then doubles the limit).
func (r *runner) halted() bool { return r.w.stopped.Load() || r.overHeap() }

func (r *runner) overHeap() bool {
	return r.iso.GetHeapStatistics().HeapSizeLimit > r.w.memory+r.w.memory/2
}

// fail ends a run whose isolate is sound.
func (r *runner) fail(f wire.Failure) error {
	r.script.done = true
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return r.w.send(wire.Done, 0, []byte("err"), text, []byte("[]"), nil)
}

// stop ends a run that failed; when V8 had to stop the script the worker goes
// with it.
func (r *runner) stop(f wire.Failure) error {
	if r.script.finished {
		return nil
	}
	if r.script.done { // the host has its answer already
		return errDiscard
	}
	halted := r.halted()
	switch {
	case !r.overHeap():
	case r.script.begun:
		f = wire.Failure{Kind: "memory_limit", Message: "the heap is full"}
	default:
		f = wire.TooLarge
	}
	if err := r.fail(f); err != nil {
		return err
	}
	if halted {
		return errDiscard
	}
	return nil
}

// uncaught is an error that reached Go: the prelude itself could not go on.
func (r *runner) uncaught(err error) wire.Failure {
	return wire.Failure{Kind: "exception", Message: err.Error()}
}

func (r *runner) failed(err error) *wire.Failure {
	f := r.uncaught(err)
	return &f
}

func syntaxFailure(e *script.SyntaxError) *wire.Failure {
	return &wire.Failure{Kind: "syntax_error", Message: e.Message, Hint: e.Hint, Line: e.Line, Column: e.Column, Excerpt: e.Excerpt}
}

// len16 is a string's length as JavaScript counts it.
func len16(s string) int {
	n := 0
	for _, c := range s {
		n++
		if c >= 0x10000 {
			n++
		}
	}
	return n
}
