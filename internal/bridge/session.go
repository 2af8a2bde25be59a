package bridge

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/sandbox"
	"codemode-mcp/internal/sandbox/wire"
	"codemode-mcp/internal/session"
)

const (
	// maxEmitted and maxEmittedBytes bound the content blocks of one run.
	maxEmitted      = 50
	maxEmittedBytes = 8 << 20
	// maxQuestion bounds what a script may ask in one question, in bytes.
	maxQuestion = 64 << 10
	// maxViolations bounds how many violations of a schema are told.
	maxViolations = 10
	// repeats is how often the same failure is a mistake that repeats.
	repeats = 2
)

// ResultURIPrefix begins the URI of a kept result.
const ResultURIPrefix = "codemode://results/"

// blockTypes are the types of content that a script may emit.
var blockTypes = []string{"text", "image", "audio", "resource_link", "resource"}

// session finds whose things a run sees: those of the handle it came with, of a
// new handle, or of the transport's session.
func (b *Bridge) session(req Request) (session.Key, *Envelope) {
	switch {
	case req.Handle != "":
		if key, ok := b.handles.Open(req.Principal.ID, req.Handle); ok {
			return key, nil
		}
		env := &Envelope{Error: failed, Kind: InvalidArguments, Logs: []string{}}
		env.Message = fmt.Sprintf("session %.60q is not known: it is wrong, or was unused for %d minutes", req.Handle, b.limits.Load().SessionMinutes)
		env.Hint = "leave session out: the answer then names a new one, with an empty state"
		if !req.Handles {
			env.Hint = "leave session out: here state lasts from run to run without it"
		}
		return session.Key{}, env
	case req.Handles:
		return b.handles.Mint(req.Principal.ID), nil
	}
	return session.Key{Principal: req.Principal.ID, Session: req.Session}, nil
}

// EndSession forgets what is kept for a session of the transport, when it ends.
func (b *Bridge) EndSession(principal, id string) {
	b.sessions.End(session.Key{Principal: principal, Session: id})
}

// Result gives a result that was cut in an envelope, whole, to the principal that
// made it.
func (b *Bridge) Result(principal, id string) (json.RawMessage, bool) {
	return b.sessions.Result(principal, id)
}

// unalias takes the name of another server off a tool's path, unless a server of
// ours has that name.
func (b *Bridge) unalias(p policy.Principal, path string) string {
	server, tool, ok := strings.Cut(path, ".")
	if !ok || !slices.Contains(b.aliases, server) {
		return path
	}
	if _, err := b.dispatch.Catalog().Find(p, path); err == nil {
		return path
	}
	return tool
}

// Ask answers what the script waits for.
func (r *run) Ask(verb string, body json.RawMessage, reply func(bool, json.RawMessage)) {
	if verb != wire.AskFinish && len(body) > maxQuestion { // not the prelude's
		r.b.work.Go(func() { reply(false, mustJSON("the question is too long")) })
		return
	}
	switch verb {
	case wire.AskState:
		r.b.work.Go(func() { reply(true, r.b.sessions.State(r.key)) }) // the worker may not be reading
	case wire.AskFinish:
		r.b.work.Go(func() { r.finish(body, reply) }) // a schema may take its time
	case wire.AskSearch:
		r.b.work.Go(func() { r.search(body, reply) })
	case wire.AskDescribe:
		r.b.work.Go(func() { r.describe(body, reply) })
	case wire.AskSpent: // no answer: the run ends
		r.exhaust()
	case wire.AskMedia:
		r.b.work.Go(func() { r.mediaData(body, reply) }) // it may be large, and the worker not reading yet
	default:
		reply(false, mustJSON([]string{fmt.Sprintf("the host knows no question %.40q", verb)}))
	}
}

// finish takes the result that the script offers, if it fits.
func (r *run) finish(result json.RawMessage, reply func(bool, json.RawMessage)) {
	result = wellFormed(result)
	if violations := r.violations(result); len(violations) > 0 {
		reply(false, mustJSON(violations))
		return
	}
	r.mu.Lock()
	if !r.closed && r.finished == nil { // the first one ends the run
		r.finished = slices.Clone(result)
	}
	r.mu.Unlock()
	reply(true, json.RawMessage("null"))
}

// violations says what of a result does not fit the schema of the call.
func (r *run) violations(result json.RawMessage) []string {
	if !json.Valid(result) {
		return []string{"the result is no JSON"}
	}
	if r.req.ResultSchema == nil {
		return nil
	}
	list := r.req.ResultSchema.Prove(result)
	if len(list) > maxViolations {
		list = append(list[:maxViolations], fmt.Sprintf("and %d more", len(list)-maxViolations))
	}
	return list
}

// Emit keeps a content block for the answer. The bounds come first: a frame of a
// few bytes may stand for megabytes.
func (r *run) Emit(block json.RawMessage) {
	r.mu.Lock()
	full := r.closed || len(r.emitted) >= maxEmitted
	if full && !r.closed {
		r.warnLocked(fmt.Sprintf("a block was not emitted: at most %d blocks are taken", maxEmitted))
	}
	r.mu.Unlock()
	if full {
		return
	}
	block, ours := r.unhandle(wellFormed(block))
	r.mu.Lock()
	tooMuch := r.emittedBytes+len(block) > maxEmittedBytes
	if tooMuch {
		r.warnLocked(fmt.Sprintf("a block was not emitted: at most %d bytes are taken in all", maxEmittedBytes))
	}
	r.mu.Unlock()
	if tooMuch {
		return
	}
	problem := ""
	if !ours { // a block of a tool was read when it came
		problem = checkBlock(block)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if problem != "" {
		r.warnLocked("a block was not emitted: " + problem)
		return
	}
	r.emitted = append(r.emitted, slices.Clone(block))
	r.emittedBytes += len(block)
}

// checkBlock says what is wrong with a content block, or nothing.
func checkBlock(block json.RawMessage) string {
	var b struct {
		Type string `json:"type"`
		Data string `json:"data"`
	}
	if err := json.Unmarshal(block, &b); err != nil {
		return "it is no content block"
	}
	if !slices.Contains(blockTypes, b.Type) {
		return fmt.Sprintf("the type %.40q is unknown", b.Type)
	}
	if b.Type == "image" || b.Type == "audio" {
		if _, err := base64.StdEncoding.DecodeString(b.Data); err != nil || b.Data == "" {
			return "its data is no base64"
		}
	}
	return ""
}

// keepState writes what the run changed, when it ended by itself.
func (r *run) keepState(out sandbox.Outcome) {
	if out.End != sandbox.Returned && out.End != sandbox.Threw {
		return
	}
	if len(out.State.Set) == 0 && len(out.State.Delete) == 0 {
		return
	}
	for name, value := range out.State.Set {
		out.State.Set[name] = wellFormed(value)
	}
	limit := r.limits.MaxStateKB << 10
	refused := r.b.sessions.Change(r.key, out.State.Set, out.State.Delete, limit)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range refused {
		r.warnLocked(fmt.Sprintf(
			"state.%.100s was not kept: with its %d characters the state would have more than %d bytes (its old value stays; keep less, or raise CODE_MODE_MAX_STATE_KB)",
			name, len(out.State.Set[name]), limit))
	}
}

// noteRepeat says so when the same script has failed the same way before.
func (r *run) noteRepeat(env *Envelope) {
	if !env.Failed() {
		return
	}
	switch env.Kind {
	case Busy, Cancelled, SandboxCrashed: // none of the script's doing
		return
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{r.req.Script, string(r.req.Args), string(env.Kind), env.Message}, "\x00")))
	if n := r.b.sessions.Failed(r.key, string(sum[:])); n >= repeats {
		env.Warnings = append(env.Warnings, fmt.Sprintf(
			"this same script has failed this same way %d times in this session: change what the message names before it is sent again", n))
	}
}
