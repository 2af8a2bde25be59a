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

// Bridge runs scripts. It is safe for concurrent use.
type Bridge struct {
	runner   Runner
	dispatch *dispatch.Dispatcher
	limits   limits.Limits
	crashed  func(detail string)
	sessions session.Store
	aliases  []string

	mu    sync.Mutex
	names map[namesKey]sandbox.Names // guarded by mu: of the current catalog only
}

// Request is one script to run.
type Request struct {
	Principal policy.Principal
	// ID names the run in the audit log.
	ID     string
	Script string
	// Session is whose state the run sees, among the principal's own. Empty for the
	// one session of stdio.
	Session string
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
}

// New makes a bridge. crashed is told why a worker died; the caller of the run
// only learns that it did.
func New(r Runner, d *dispatch.Dispatcher, l limits.Limits, crashed func(detail string)) *Bridge {
	if crashed == nil {
		crashed = func(string) {}
	}
	return &Bridge{runner: r, dispatch: d, limits: l, crashed: crashed, sessions: session.NewMemory(),
		aliases: DefaultAliases, names: map[namesKey]sandbox.Names{}}
}

// DefaultAliases are the names of other servers whose scripts run unchanged:
// tools.<alias>.<tool> is tools.<tool> unless a server has that name.
var DefaultAliases = []string{"contextcortex"}

// ToolName is the tool that runs scripts. No script may call it.
const ToolName = "execute_script"

// Run runs one script to its end. It always returns an envelope.
func (b *Bridge) Run(ctx context.Context, req Request) *Envelope {
	if env := b.refuse(req); env != nil {
		return env
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{
		b: b, req: req, ctx: ctx,
		budget: limits.NewBudget(b.limits.MaxToolCalls),
		slots:  make(chan struct{}, b.limits.MaxParallelCalls),
		abort:  cancel,
	}
	out := b.runner.Run(ctx, req.Principal.ID, sandbox.Job{
		Script: req.Script,
		Args:   req.Args,
		Names:  b.namesFor(req.Principal),
		Meta: wire.Meta{
			MaxArgs:   b.limits.MaxArgsKB << 10,
			MaxResult: maxWholeResult,
			MaxLog:    b.limits.MaxLogKB << 10,
		},
		Timeout: b.limits.Timeout(),
	}, r)
	r.close()
	cancel() // calls still in flight end here
	if out.Detail != "" {
		b.crashed(out.Detail)
	}
	r.keepState(out)
	env := r.envelope(out)
	r.noteRepeat(env)
	return env
}

// maxWholeResult bounds a result as the worker sends it, in UTF-16 units. What
// is above MaxResultChars is cut on the host.
const maxWholeResult = 12 << 20

func (b *Bridge) refuse(req Request) *Envelope {
	env := &Envelope{Error: failed, Kind: InvalidArguments, Logs: []string{}}
	switch limit := b.limits.MaxScriptKB << 10; {
	case strings.TrimSpace(req.Script) == "":
		env.Kind, env.Message = SyntaxError, "the script is empty"
		env.Hint = "send a program in \"script\", such as: return await tools.list_directory({path: \".\"})"
	case len(req.Script) > limit:
		env.Message = fmt.Sprintf("the script has %d bytes, at most %d are taken", len(req.Script), limit)
		env.Hint = "pass data in \"arguments\", or raise CODE_MODE_MAX_SCRIPT_KB"
	case len(req.Args) > b.limits.MaxArgsKB<<10:
		env.Message = fmt.Sprintf("the arguments have %d bytes, at most %d are taken", len(req.Args), b.limits.MaxArgsKB<<10)
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
	type server struct {
		Server string   `json:"server"`
		Tools  []string `json:"tools"`
		Alias  bool     `json:"alias,omitempty"`
	}
	list := []server{}
	for _, t := range c.Visible(p) {
		if len(list) == 0 || list[len(list)-1].Server != t.Server {
			list = append(list, server{Server: t.Server})
		}
		s := &list[len(list)-1]
		s.Tools = append(s.Tools, t.Name)
	}
	for _, name := range b.aliases {
		list = append(list, server{Server: name, Alias: true})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic("BUG: tool names do not encode: " + err.Error())
	}
	n := sandbox.Names{Key: fmt.Sprintf("%d/%s", key.version, p.Role), JSON: text}
	b.names[key] = n
	return n
}

// run is what the host knows of one run. It is the sandbox's Handler.
type run struct {
	b      *Bridge
	req    Request
	ctx    context.Context
	budget *limits.Budget
	slots  chan struct{} // one for each call that may be in flight
	abort  context.CancelFunc

	mu        sync.Mutex
	closed    bool         // guarded by mu: the run is over, nothing counts any more
	exhausted bool         // guarded by mu: the call limit ended the run
	calls     []CallRecord // guarded by mu
	logs      []string     // guarded by mu
	logBytes  int          // guarded by mu
	warnings  []string     // guarded by mu

	emitted      []json.RawMessage // guarded by mu: content blocks
	emittedBytes int               // guarded by mu
	finished     json.RawMessage   // guarded by mu: the result that finish was given
}

// Call serves one tool call of the script.
func (r *run) Call(raw bool, path string, args json.RawMessage, reply func(bool, json.RawMessage)) {
	verdict := r.budget.Take()
	r.mu.Lock()
	if r.closed || verdict == limits.Exhausted {
		if !r.closed && !r.exhausted {
			r.exhausted = true
			r.abort()
		}
		r.mu.Unlock()
		return
	}
	if verdict == limits.Refused {
		r.mu.Unlock()
		reply(false, errorJSON(toolError{Tool: path, Kind: string(ToolCallLimit), Message: fmt.Sprintf(
			"%s: the limit of %d tool calls of one run is reached; one more call ends the run (return what you have and continue in another run)",
			path, r.budget.Limit())}))
		return
	}
	i := len(r.calls)
	r.calls = append(r.calls, CallRecord{Tool: path, Pending: true})
	r.mu.Unlock()
	if r.req.Progress != nil {
		r.req.Progress(Progress{Calls: i + 1, Tool: path})
	}
	go r.serve(i, raw, path, args, reply)
}

func (r *run) serve(i int, raw bool, path string, args json.RawMessage, reply func(bool, json.RawMessage)) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-r.ctx.Done():
		return
	}
	start := time.Now()
	ok, body := r.call(raw, path, args)
	r.mu.Lock()
	if !r.closed {
		r.calls[i] = CallRecord{Tool: path, OK: ok, Ms: time.Since(start).Milliseconds()}
	}
	r.mu.Unlock()
	reply(ok, body)
}

func (r *run) call(raw bool, path string, args json.RawMessage) (bool, json.RawMessage) {
	path = r.b.unalias(r.req.Principal, path)
	if isSelf(path) {
		return false, errorJSON(toolError{Tool: path, Kind: string(Forbidden),
			Message: path + ": a script can't run another script; call the tools themselves"})
	}
	res, err := r.b.dispatch.Call(r.ctx, dispatch.Call{Principal: r.req.Principal, Tool: path, Args: args, Run: r.req.ID})
	if err != nil {
		return false, errorJSON(fromDispatch(err))
	}
	if raw {
		return true, rawJSON(res)
	}
	return value(path, r.outputSchema(path), res)
}

// outputSchema finds the schema of a tool that has just answered.
func (r *run) outputSchema(path string) json.RawMessage {
	t, err := r.b.dispatch.Catalog().Find(r.req.Principal, path)
	if err != nil {
		return nil
	}
	return t.OutputSchema
}

func isSelf(path string) bool {
	return path == ToolName || strings.HasSuffix(path, "."+ToolName) || strings.HasSuffix(path, "__"+ToolName)
}

// Log keeps one console line, within the bound that the guest's side should have
// kept already.
func (r *run) Log(level, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	limit := r.b.limits.MaxLogKB << 10
	if r.closed || r.logBytes > 4*limit || len(r.logs) > limit { // UTF-8 may take three bytes a unit
		return
	}
	r.logBytes += len(text)
	if level != "log" && level != "info" {
		text = "[" + level + "] " + text
	}
	r.logs = append(r.logs, text)
}

func (r *run) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}

var _ sandbox.Handler = (*run)(nil)
