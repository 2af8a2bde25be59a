package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/dispatch"
	"codemode-mcp/internal/session"
	"codemode-mcp/internal/shape"
)

// learn keeps the form of a value that a tool without an output schema gave to a
// script.
func (b *Bridge) learn(key session.Key, t *catalog.Tool, value json.RawMessage) {
	if len(t.OutputSchema) > 0 || len(value) > shape.MaxBytes {
		return
	}
	if name := b.learnedName(t); b.sessions.Wants(key, name) {
		b.sessions.Learn(key, name, shape.Of(value))
	}
}

// Learn is told of the answer to a direct call in a session of the transport.
func (b *Bridge) Learn(principal, id string, a *dispatch.Answer) {
	if len(a.Tool.OutputSchema) > 0 {
		return
	}
	if v, failed := value(a, block); failed == nil {
		b.learn(session.Key{Principal: principal, Session: id}, a.Tool, v)
	}
}

// Learned gives the types that a session of the transport has observed.
func (b *Bridge) Learned(principal, id string) func(*catalog.Tool) string {
	return b.learned(session.Key{Principal: principal, Session: id})
}

// LearnedBy is Learned for the session of a handle. It is nil when the handle is none
// of the principal's.
func (b *Bridge) LearnedBy(principal, handle string) func(*catalog.Tool) string {
	key, ok := b.handles.Open(principal, handle)
	if !ok {
		return nil
	}
	return b.learned(key)
}

func (b *Bridge) learned(key session.Key) func(*catalog.Tool) string {
	return func(t *catalog.Tool) string { return b.sessions.Learned(key, b.learnedName(t)) }
}

// learnedNames are those of the tools of one catalog: to make one costs a digest.
type learnedNames struct {
	version uint64
	names   sync.Map // *catalog.Tool -> string
}

// learnedName names a tool as it is in this catalog: one that was changed by its
// owner is another.
func (b *Bridge) learnedName(t *catalog.Tool) string {
	version := b.dispatch.Catalog().Version()
	known := b.learning.Load()
	if known == nil || known.version != version {
		known = &learnedNames{version: version}
		b.learning.Store(known)
	}
	if name, ok := known.names.Load(t); ok {
		return name.(string)
	}
	h := sha256.New()
	h.Write(t.InputSchema)
	h.Write([]byte(t.Description))
	name := t.Path() + "\x00" + hex.EncodeToString(h.Sum(nil)[:8])
	known.names.Store(t, name)
	return name
}
