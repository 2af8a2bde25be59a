// Package bridge is one run of one script: it takes a [Request], borrows a
// worker, serves the script's tool calls through the dispatcher and returns the
// [Envelope].
//
// It owns what the host knows of a run: counts, times, logs, records of calls.
// Nothing in an envelope but the result and the script's own words comes from the
// guest. It must not import the MCP SDK or the JavaScript engine.
package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codemode-mcp/internal/dispatch"
	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/sandbox"
	"codemode-mcp/internal/sandbox/wire"
	"codemode-mcp/internal/schema"
	"codemode-mcp/internal/session"
)

// Runner runs jobs. [sandbox.Pool] is one.
type Runner interface {
	Run(ctx context.Context, owner string, job sandbox.Job, h sandbox.Handler) sandbox.Outcome
}

// Options configure a Bridge.
type Options struct {
	// Runner runs the scripts. Required.
	Runner Runner
	// Dispatch calls the tools. Required.
	Dispatch *dispatch.Dispatcher
	// Limits bound each run.
	Limits limits.Limits
	// Aliases replace [DefaultAliases]. Nil leaves them.
	Aliases []string
	// Ended is told of every run when it has ended, those that were refused too. It
	// must not block. Default: nothing.
	Ended func(Ended)
}

// Ended is what happened to one run, for the audit log.
type Ended struct {
	Principal policy.Principal
	// Run is the request's ID.
	Run      string
	Duration time.Duration
	// Kind is how it failed, or empty.
	Kind Kind
	// Calls is how many tool calls it made, Script how long it was, in bytes.
	Calls, Script int
}

// Bridge runs scripts. It is safe for concurrent use.
type Bridge struct {
	runner   Runner
	dispatch *dispatch.Dispatcher
	limits   atomic.Pointer[limits.Limits]
	sessions session.Store
	handles  *session.Handles
	aliases  []string
	ended    func(Ended)
	learning atomic.Pointer[learnedNames]

	argBytes atomic.Int64 // the arguments of calls without an answer, of all runs

	work sync.WaitGroup // goroutines that serve scripts

	mu    sync.Mutex
	names map[namesKey]sandbox.Names // guarded by mu: of the current catalog only
}

// Request is one script to run.
type Request struct {
	Principal policy.Principal
	// ID names the run in the audit log.
	ID     string
	Script string
	// Session is the transport's session, whose state the run sees among the
	// principal's own. Empty for the one session of stdio.
	Session string
	// Handles says that the transport has no sessions: the envelope returns a handle,
	// and Session is not looked at.
	Handles bool
	// Handle is one that an envelope returned. It comes before Session.
	Handle string
	// Args is the script's input: a JSON object, or nil for an empty one.
	Args json.RawMessage
	// ResultSchema is what the result must fit. Nil means anything.
	ResultSchema *schema.Schema
	// Progress is told of each inner call when it starts. Nil means nobody. It
	// must not block.
	Progress func(Progress)
}

// Progress is one step of a run.
type Progress struct {
	// Calls is how many calls have started, this one included.
	Calls int
	// Tool is the name as the script gave it.
	Tool string
	// Text is what the tool says of a call under way, or empty when the call
	// begins.
	Text string
}

// New makes a bridge.
func New(o Options) *Bridge {
	if o.Aliases == nil {
		o.Aliases = DefaultAliases
	}
	store := session.NewMemory()
	if o.Ended == nil {
		o.Ended = func(Ended) {}
	}
	b := &Bridge{ended: o.Ended, runner: o.Runner, dispatch: o.Dispatch, aliases: o.Aliases,
		sessions: store, handles: session.NewHandles(store, o.Limits.SessionLife()), names: map[namesKey]sandbox.Names{}}
	b.limits.Store(&o.Limits)
	return b
}

// SetLimits changes the limits of the runs that begin from now on. Runs under way
// keep theirs.
func (b *Bridge) SetLimits(l limits.Limits) { b.limits.Store(&l) }

// Close waits for the calls of runs that are over: a tool may take a moment to see
// that it is cancelled. The pool must be closed.
func (b *Bridge) Close(ctx context.Context) error {
	idle := make(chan struct{})
	go func() {
		b.work.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for tool calls to end: %w", ctx.Err())
	}
}

// DefaultAliases are the names of other servers whose scripts run unchanged:
// tools.<alias>.<tool> is tools.<tool> unless a server has that name.
var DefaultAliases = []string{"contextcortex"}

// ToolName is the tool that runs scripts. No script may call it.
const ToolName = "execute_script"

// Run runs one script to its end. It always returns an envelope.
func (b *Bridge) Run(ctx context.Context, req Request) *Envelope {
	start := time.Now()
	env := b.run(ctx, req)
	b.ended(Ended{Principal: req.Principal, Run: req.ID, Duration: time.Since(start), Kind: env.Kind, Calls: env.ToolCallsCount, Script: len(req.Script)})
	return env
}

func (b *Bridge) run(ctx context.Context, req Request) *Envelope {
	l := *b.limits.Load()
	if env := refuse(req, l); env != nil {
		return env
	}
	key, env := b.session(req)
	if env != nil {
		return env
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{
		b: b, req: req, key: key, ctx: ctx, limits: l,
		budget:  limits.NewBudget(l.MaxToolCalls),
		slots:   make(chan struct{}, l.MaxParallelCalls),
		abort:   cancel,
		human:   sandbox.NewHuman(l.HumanWait()),
		refused: map[Kind]bool{},
	}
	out := b.runner.Run(ctx, req.Principal.ID, sandbox.Job{
		Script: req.Script,
		Args:   req.Args,
		Names:  b.namesFor(req.Principal),
		Meta: wire.Meta{
			MaxArgs:   l.MaxArgsKB << 10,
			MaxResult: maxWholeResult,
			MaxLog:    l.MaxLogKB << 10,
			MaxState:  l.MaxStateKB << 10,
			Compile:   compileTime(len(req.Script), l.Timeout()),
		},
		Timeout: l.Timeout(),
		Human:   r.human,
	}, r)
	r.close()
	cancel() // calls still in flight end here
	r.keepState(out)
	env = r.envelope(out)
	r.noteRepeat(env)
	if req.Handles {
		env.Session = key.Session
	}
	return env
}

// maxWholeResult bounds a result as the worker sends it, in UTF-16 units. What
// is above MaxResultChars is cut on the host.
const maxWholeResult = 12 << 20

// compileBase and compilePerMB are how long compiling a script may take, in
// milliseconds: ten times what one without tricks takes. A run keeps half of its
// time in any case.
const (
	compileBase  = 1000
	compilePerMB = 2000
)

func compileTime(size int, timeout time.Duration) int {
	return min(compileBase+size*compilePerMB>>20, int(timeout.Milliseconds())/2)
}

func refuse(req Request, l limits.Limits) *Envelope {
	env := &Envelope{Error: failed, Kind: InvalidArguments, Logs: []string{}}
	switch limit := l.MaxScriptKB << 10; {
	case strings.TrimSpace(req.Script) == "":
		env.Kind, env.Message = SyntaxError, "the script is empty"
		env.Hint = "send a program in \"script\", such as: return await tools.list_directory({path: \".\"})"
	case len(req.Script) > limit:
		env.Message = fmt.Sprintf("the script has %d bytes, at most %d are taken", len(req.Script), limit)
		env.Hint = "pass data in \"arguments\", or raise CODE_MODE_MAX_SCRIPT_KB"
	case len(req.Args) > l.MaxArgsKB<<10:
		env.Message = fmt.Sprintf("the arguments have %d bytes, at most %d are taken", len(req.Args), l.MaxArgsKB<<10)
		env.Hint = "pass less, or raise CODE_MODE_MAX_ARGS_KB"
	default:
		return nil
	}
	return env
}

type namesKey struct {
	version uint64
	role    policy.Role
}

// namesFor lists the tools that the principal may call, encoded once per catalog
// and role.
func (b *Bridge) namesFor(p policy.Principal) sandbox.Names {
	c := b.dispatch.Catalog()
	key := namesKey{c.Version(), p.Role}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n, ok := b.names[key]; ok {
		return n
	}
	for old := range b.names {
		if old.version != key.version {
			delete(b.names, old)
		}
	}
	text := encodeNames(c.Visible(p), b.aliases)
	n := sandbox.Names{Key: fmt.Sprintf("%d/%s", key.version, p.Role), JSON: text}
	b.names[key] = n
	return n
}
