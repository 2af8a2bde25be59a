package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/dispatch"
	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/sandbox"
	"codemode-mcp/internal/sandbox/wire"
	"codemode-mcp/internal/session"
)

// run is what the host knows of one run. It is the sandbox's Handler.
type run struct {
	b      *Bridge
	req    Request
	key    session.Key // whose state and kept results
	ctx    context.Context
	limits limits.Limits // those in force when the run began
	budget *limits.Budget
	slots  chan struct{} // one for each call that may be in flight
	abort  context.CancelFunc
	human  *sandbox.Human

	mu        sync.Mutex
	closed    bool          // guarded by mu: the run is over, nothing counts any more
	exhausted bool          // guarded by mu: the call limit ended the run
	refused   map[Kind]bool // guarded by mu: kinds of errors that calls were answered with
	calls     []CallRecord  // guarded by mu
	logs      []string      // guarded by mu
	logBytes  int           // guarded by mu
	argBytes  int           // guarded by mu: the arguments of calls without an answer
	outBytes  int           // guarded by mu: answers on their way to the worker
	warnings  []string      // guarded by mu

	emitted      []json.RawMessage // guarded by mu: content blocks
	emittedBytes int               // guarded by mu
	media        []kept            // guarded by mu: images and the like that tools returned
	mediaBytes   int               // guarded by mu
	finished     json.RawMessage   // guarded by mu: the result that finish was given
}

// Call serves one tool call of the script.
func (r *run) Call(raw bool, path string, args json.RawMessage, reply func(bool, json.RawMessage)) {
	verdict := r.budget.Take()
	if verdict == limits.Exhausted {
		r.exhaust()
		return
	}
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	if e := r.refuseLocked(verdict, path, len(args)); e != nil {
		r.mu.Unlock()
		r.b.dispatch.Refuse(dispatch.Call{Principal: r.req.Principal, Tool: path, Run: r.req.ID}, dispatch.Kind(e.Kind))
		r.b.work.Go(func() { reply(false, errorJSON(*e)) }) // the worker may be writing, not reading
		return
	}
	i := len(r.calls)
	r.calls = append(r.calls, CallRecord{Tool: path, Pending: true})
	r.argBytes += len(args)
	r.mu.Unlock()
	r.b.argBytes.Add(int64(len(args)))
	if r.req.Progress != nil {
		r.req.Progress(Progress{Calls: i + 1, Tool: path})
	}
	r.b.work.Go(func() { r.serve(i, raw, path, args, reply) })
}

// moreCalls is what to do at the limit of calls.
const moreCalls = "return what you have and continue in another run, or raise CODE_MODE_MAX_TOOL_CALLS"

// exhaust ends the run: it goes on calling above the limit.
func (r *run) exhaust() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed && !r.exhausted && r.budget.Used() == r.budget.Limit() {
		r.exhausted = true
		r.abort()
	}
}

// maxArgBytes and maxAllArgBytes bound the arguments that the host holds for calls
// without an answer, of one run and of all, in bytes; one call of a run alone may
// always have the largest allowed.
const (
	maxArgBytes    = 32 << 20
	maxAllArgBytes = 64 << 20
)

// refuseLocked says why a call that the run may still make is not let through.
func (r *run) refuseLocked(verdict limits.Verdict, path string, size int) *toolError {
	if verdict == limits.Refused {
		r.refused[ToolCallLimit] = true
		return &toolError{Tool: path, Kind: string(ToolCallLimit), Hint: moreCalls,
			Message: fmt.Sprintf("%s: the limit of %d tool calls of one run is reached; one more call ends the run (%s)", path, r.budget.Limit(), moreCalls)}
	}
	if r.argBytes > 0 && r.argBytes+size > maxArgBytes {
		return &toolError{Tool: path, Kind: string(InvalidArguments), Message: fmt.Sprintf(
			"%s: the calls in flight hold %d MB of arguments: await them before you call with %d MB more", path, r.argBytes>>20, size>>20)}
	}
	if all := int(r.b.argBytes.Load()); r.argBytes > 0 && all+size > maxAllArgBytes {
		return &toolError{Tool: path, Kind: string(Busy), Message: fmt.Sprintf(
			"%s: the calls in flight of all runs hold %d MB of arguments: await yours before you call with %d KB more", path, all>>20, size>>10)}
	}
	return nil
}

// letGo ends the count of a call's arguments.
func (r *run) letGo(size int) {
	r.mu.Lock()
	r.argBytes -= size
	r.mu.Unlock()
	r.b.argBytes.Add(-int64(size))
}

func (r *run) serve(i int, raw bool, path string, args json.RawMessage, reply func(bool, json.RawMessage)) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-r.ctx.Done():
		r.letGo(len(args))
		return
	}
	start := time.Now()
	ok, body, learn := r.call(i, raw, path, args)
	if e := r.hand(path, len(body)); e != nil {
		ok, body = false, r.failed(*e)
	} else {
		defer r.handed(len(body))
	}
	r.letGo(len(args))
	r.mu.Lock()
	if !r.closed && r.ctx.Err() == nil { // what the end of the run cut off stays pending
		r.calls[i] = CallRecord{Tool: path, OK: ok, Ms: time.Since(start).Milliseconds()}
	}
	r.mu.Unlock()
	// The form of a small result is known when the script goes on; one that takes a
	// while to look at does not hold the script up.
	if len(body) > learnFirst {
		defer learn()
	} else {
		learn()
	}
	reply(ok, body)
}

func noLesson() {}

// learnFirst is how large a result may be to be learned from before it is passed on, in
// bytes.
const learnFirst = 64 << 10

// maxOutBytes bounds the answers that the host holds for one run until the worker
// has read them, in bytes; one alone may always have the largest allowed.
const maxOutBytes = 64 << 20

// frameRoom is what a frame needs besides an answer, in bytes.
const frameRoom = 1 << 10

// hand makes room for an answer, or says why there is none: the call was made, and
// its result is dropped.
func (r *run) hand(path string, size int) *toolError {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case size+frameRoom > wire.MaxFrame:
		return &toolError{Tool: path, Kind: string(dispatch.TooLarge), Message: fmt.Sprintf(
			"%s: the call was made, but its result has %d MB as JSON, and at most %d can be passed on", path, size>>20, wire.MaxFrame>>20)}
	case r.outBytes > 0 && r.outBytes+size > maxOutBytes:
		return &toolError{Tool: path, Kind: string(dispatch.TooLarge), Message: fmt.Sprintf(
			"%s: the call was made, but its result was dropped: %d MB of results of this run wait to be read already (make fewer calls at once, with parallelMap)", path, r.outBytes>>20)}
	}
	r.outBytes += size
	return nil
}

func (r *run) handed(size int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outBytes -= size
}

// call makes one call. To learn the form of its result is a step of its own.
func (r *run) call(i int, raw bool, path string, args json.RawMessage) (ok bool, body json.RawMessage, learn func()) {
	path, args = r.b.unalias(r.req.Principal, path), wellFormed(args)
	if path == ToolName { // an upstream server's tool of that name has a path of its own
		r.b.dispatch.Refuse(dispatch.Call{Principal: r.req.Principal, Tool: path, Run: r.req.ID}, dispatch.Forbidden)
		return false, r.failed(toolError{Tool: path, Kind: string(Forbidden),
			Message: path + ": a script can't run another script (call the tools themselves)", Hint: "call the tools themselves"}), noLesson
	}
	ctx := catalog.WithHuman(r.ctx, r.human.Wait)
	if tell := r.req.Progress; tell != nil {
		ctx = catalog.WithProgress(ctx, func(p catalog.Progress) { tell(Progress{Calls: i + 1, Tool: path, Text: p.String()}) })
	}
	res, err := r.b.dispatch.Call(ctx, dispatch.Call{Principal: r.req.Principal, Tool: path, Args: args, Run: r.req.ID, Within: r.limits.Timeout()})
	if err != nil {
		e := r.fromDispatch(err)
		if raw && ranAndFailed(e) {
			return true, exactInts(rawJSON(&catalog.Result{IsError: true, Content: []catalog.Content{catalog.Text(e.Message)}})), noLesson
		}
		return false, r.failed(e), noLesson
	}
	if res.Note != "" {
		r.mu.Lock()
		r.warnLocked(res.Note)
		r.mu.Unlock()
	}
	if raw {
		return true, exactInts(rawJSON(res.Result)), noLesson
	}
	v, e := value(res, r.hold)
	if e != nil {
		return false, r.failed(*e), noLesson
	}
	return true, exactInts(v), func() { r.b.learn(r.key, res.Tool, v) }
}

// failed is the body of a call that throws. The host remembers what it refused:
// the kind of a failed run is never the guest's word alone.
func (r *run) failed(e toolError) json.RawMessage {
	r.mu.Lock()
	r.refused[Kind(e.Kind)] = true
	r.mu.Unlock()
	return errorJSON(e)
}

// Log keeps one console line, within the bound that the guest's side should have
// kept already.
func (r *run) Log(level, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	limit := r.limits.MaxLogKB << 10
	if r.closed || r.logBytes > 4*limit { // UTF-8 may take three bytes a unit
		return
	}
	r.logBytes += len(text) + logLineCost
	if level != "log" && level != "info" {
		text = "[" + level + "] " + text
	}
	r.logs = append(r.logs, text)
}

// logLineCost is what a line costs besides its text, in bytes.
const logLineCost = 8

func (r *run) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}

var _ sandbox.Handler = (*run)(nil)

const (
	// maxWarnings and maxWarning bound what the host adds to the warnings of a run:
	// the second in bytes, since names in them are the script's or a tool's.
	maxWarnings = 20
	maxWarning  = 600
)

// warnLocked adds a warning, once, as long as there is room.
func (r *run) warnLocked(text string) {
	if len(text) > maxWarning {
		text = strings.ToValidUTF8(text[:maxWarning], "") + "..."
	}
	if len(r.warnings) < maxWarnings && !slices.Contains(r.warnings, text) {
		r.warnings = append(r.warnings, text)
	}
}
