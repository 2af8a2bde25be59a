// Package dispatch is the one road to a tool. A client's tools/call and a call
// from inside a script both go through [Dispatcher.Call]: look up, authorize,
// validate, call, check the result, record.
//
// It owns the current catalog snapshot and the errors a caller sees. It must not
// import the MCP SDK, the JavaScript engine, or any package above it.
package dispatch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/schema"
)

// Options configure a Dispatcher. The zero value of a field is its default.
type Options struct {
	// Bounds are those at the start; see [Dispatcher.SetBounds].
	Bounds
	// Absent is asked about a name that means no tool: its server may still be
	// starting. It waits while that is so, and says whether to look again, and
	// otherwise why the tool is not there, or nothing. Default: nothing is awaited.
	Absent func(ctx context.Context, p policy.Principal, name string) (again bool, why string)
	// Record is told of every call when it ends. It must not block. Default: nothing.
	Record func(Event)
	// Help says more about calls that were written wrong.
	Help Help
}

// Call is one call of a tool.
type Call struct {
	Principal policy.Principal
	// Tool is any name that [catalog.Catalog.Find] takes.
	Tool string
	// Args is the arguments as JSON. Nil means no arguments.
	Args json.RawMessage
	// Run is the script run that the call belongs to, or empty.
	Run string
	// Within is the time of that run, or zero. The call gets less, so that the script
	// can still do something about it.
	Within time.Duration
}

// Answer is what a call came to.
type Answer struct {
	*catalog.Result
	// Tool is the tool that answered.
	Tool *catalog.Tool
	// Note says what is odd about the call, or nothing: that the tool does not name an
	// argument, or that the result does not fit the
	// tool's own schema.
	Note string
}

// Event is what happened to one call, for the audit log.
type Event struct {
	Start     time.Time
	Duration  time.Duration
	Principal policy.Principal
	Run       string
	// Tool is the tool's path, or the name as asked for when there is none.
	Tool string
	// Err is nil when the tool answered without an error.
	Err error
	// Panic is the stack when the tool panicked.
	Panic string
}

// Bounds hold each call. The zero value of a field is its default.
type Bounds struct {
	// Timeout bounds one call. Default 25 s.
	Timeout time.Duration
	// HumanWait is how long a call may wait for a human in all, besides its
	// Timeout. Zero means that it may not.
	HumanWait time.Duration
	// MaxArgs bounds the arguments of a call, in bytes. Default 4 MiB.
	MaxArgs int
	// MaxResult bounds the result of a call, in bytes. Default 16 MiB.
	MaxResult int
}

// Dispatcher calls tools. It is safe for concurrent use.
type Dispatcher struct {
	opts   Options
	bounds atomic.Pointer[Bounds]
	snap   atomic.Pointer[snapshot]
}

type snapshot struct {
	*catalog.Catalog
	schemas sync.Map // schemaKey -> func() (*schema.Schema, error)
}

// New makes a dispatcher over a first snapshot.
func New(c *catalog.Catalog, opts *Options) *Dispatcher {
	d := &Dispatcher{}
	if opts != nil {
		d.opts = *opts
	}
	d.SetBounds(d.opts.Bounds)
	if d.opts.Absent == nil {
		d.opts.Absent = func(context.Context, policy.Principal, string) (bool, string) { return false, "" }
	}
	if d.opts.Record == nil {
		d.opts.Record = func(Event) {}
	}
	d.SetCatalog(c)
	return d
}

// SetBounds changes what holds the calls that begin from now on.
func (d *Dispatcher) SetBounds(b Bounds) {
	if b.Timeout <= 0 {
		b.Timeout = 25 * time.Second
	}
	if b.MaxArgs <= 0 {
		b.MaxArgs = 4 << 20
	}
	if b.MaxResult <= 0 {
		b.MaxResult = 16 << 20
	}
	d.bounds.Store(&b)
}

// SetCatalog replaces the snapshot. Calls under way keep the tool they found.
func (d *Dispatcher) SetCatalog(c *catalog.Catalog) { d.snap.Store(&snapshot{Catalog: c}) }

// Catalog is the current snapshot.
func (d *Dispatcher) Catalog() *catalog.Catalog { return d.snap.Load().Catalog }

// Call runs one call. Every error is an [*Error]. A result with IsError set is
// not an error here: it is what the tool answered.
func (d *Dispatcher) Call(ctx context.Context, c Call) (*Answer, error) {
	ev := Event{Start: time.Now(), Principal: c.Principal, Run: c.Run, Tool: c.Tool}
	res, err := d.call(ctx, c, &ev)
	ev.Duration = time.Since(ev.Start)
	if ev.Err = err; err == nil && res.IsError {
		ev.Err = errToolFailed
	}
	d.opts.Record(ev)
	return res, err
}

// Refuse records a call that was let no further than this, such as one above a run's
// limit, or of a name that means no tool.
func (d *Dispatcher) Refuse(c Call, why Kind) {
	d.opts.Record(Event{Start: time.Now(), Principal: c.Principal, Run: c.Run, Tool: c.Tool, Err: &Error{Kind: why, Tool: c.Tool, Message: "refused"}})
}

var errToolFailed = errors.New("the tool reported an error")

// Resolve finds a tool by any of its names, and waits for a server that is still
// starting, as long as a call may take. The error is an [*Error].
func (d *Dispatcher) Resolve(ctx context.Context, p policy.Principal, name string) (*catalog.Tool, error) {
	ctx, cancel := context.WithTimeout(ctx, d.bounds.Load().Timeout)
	defer cancel()
	_, tool, err := d.find(ctx, p, name)
	return tool, err
}

func (d *Dispatcher) find(ctx context.Context, p policy.Principal, name string) (*snapshot, *catalog.Tool, error) {
	for {
		snap := d.snap.Load()
		tool, err := snap.Find(p, name)
		if err == nil {
			return snap, tool, nil
		}
		var missing *catalog.NotFoundError
		if !errors.As(err, &missing) {
			return nil, nil, lookupError(name, err)
		}
		again, why := d.opts.Absent(ctx, p, name)
		if !again {
			if why != "" { // it is known what the name means: no other tool was meant
				known := *missing
				known.Near = nil
				err = &known
			}
			e := lookupError(name, err)
			if e.Hint = why; why == "" {
				d.opts.Help.aboutName(e, snap.Catalog, p)
			}
			return nil, nil, e
		}
	}
}

func (d *Dispatcher) call(ctx context.Context, c Call, ev *Event) (*Answer, error) {
	bounds := d.bounds.Load()
	found, cancel := context.WithTimeout(ctx, bounds.Timeout)
	snap, tool, err := d.find(found, c.Principal, c.Tool)
	cancel()
	if err != nil {
		return nil, err
	}
	path := tool.Path()
	ev.Tool = path
	ctx = catalog.WithPrincipal(ctx, c.Principal.ID)
	args := c.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if len(args) > bounds.MaxArgs {
		return nil, &Error{Kind: InvalidArguments, Tool: path, Server: tool.Server,
			Message: fmt.Sprintf("the arguments have %d bytes, at most %d are taken", len(args), bounds.MaxArgs),
			Hint:    "pass less at a time"}
	}
	if err := snap.check(tool, args); err != nil {
		// A script holds an integer that is too large for a number as a string.
		turned, ok := schema.ExactIntegers(tool.InputSchema, args)
		if !ok || snap.check(tool, turned) != nil {
			d.opts.Help.aboutArguments(err, snap.Catalog, c.Principal, tool)
			return nil, err
		}
		args = turned
	}

	limit := timeLimit(bounds.Timeout, c.Within, tool)
	ctx, cancel = withClock(ctx, limit.time, bounds.HumanWait, errCallTimeout)
	defer cancel()
	res, err := invoke(ctx, tool, args, ev)
	if err != nil {
		return nil, failure(ctx, tool, limit, err)
	}
	if n := size(res); n > bounds.MaxResult {
		return nil, &Error{Kind: TooLarge, Tool: path, Server: tool.Server,
			Message: fmt.Sprintf("the result has %d bytes, at most %d are taken", n, bounds.MaxResult),
			Hint:    "ask for less: a narrower query, a range, a page"}
	}
	return &Answer{Result: res, Tool: tool, Note: cmp.Or(snap.stray(tool, args), snap.misfit(tool, res))}, nil
}

// bound is how long a call may take, and what raises that.
type bound struct {
	time time.Duration
	hint string
}

func timeLimit(each, run time.Duration, tool *catalog.Tool) bound {
	b := bound{each, "ask for less, or raise CODE_MODE_CALL_TIMEOUT_SECONDS"}
	if tool.Timeout > 0 {
		b = bound{tool.Timeout, "ask for less, or raise timeoutSeconds of the server in the configuration"}
	}
	if most := run - run/6; run > 0 && b.time > most {
		b = bound{most, "ask for less, or raise CODE_MODE_TIMEOUT_SECONDS: a call in a script gets less time than the script"}
	}
	return b
}

var errCallTimeout = errors.New("the call took too long")

// invoke shields the server from a tool that panics.
func invoke(ctx context.Context, t *catalog.Tool, args json.RawMessage, ev *Event) (res *catalog.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			ev.Panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
			res, err = nil, errors.New("the tool failed inside; the server's log has the details")
		}
	}()
	res, err = t.Invoke(ctx, args)
	if err == nil && res == nil {
		res = &catalog.Result{}
	}
	return res, err
}

func failure(ctx context.Context, tool *catalog.Tool, limit bound, err error) *Error {
	e := &Error{Kind: Failed, Tool: tool.Path(), Server: tool.Server, Message: err.Error(), Err: err}
	switch cause := context.Cause(ctx); {
	case cause == nil:
	case errors.Is(cause, errCallTimeout):
		e.Kind, e.Message = Timeout, fmt.Sprintf("no answer within %v", limit.time)
		e.Hint = limit.hint
		return e
	default:
		e.Kind, e.Message = Cancelled, "the call was cancelled"
		return e
	}
	var hinter interface{ ErrorHint() string }
	if errors.As(err, &hinter) {
		e.Hint = hinter.ErrorHint()
	}
	var large interface{ TooLarge() bool }
	if errors.As(err, &large) && large.TooLarge() {
		e.Kind = TooLarge
	}
	var coded interface {
		ErrorCode() (code *int64, data json.RawMessage)
	}
	if errors.As(err, &coded) {
		e.Code, e.Data = coded.ErrorCode()
	}
	return e
}

func size(r *catalog.Result) int {
	n := len(r.Structured)
	for _, c := range r.Content {
		n += len(c.Text) + len(c.Raw)
	}
	return n
}
