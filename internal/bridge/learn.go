package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/session"
	"codemode-mcp/internal/shape"
)

// learn keeps the form of a value that a tool without an output schema gave to a
// script.
func (b *Bridge) learn(key session.Key, t *catalog.Tool, value json.RawMessage) {
	if t.Name != "" && len(t.OutputSchema) == 0 && len(value) <= shape.MaxBytes {
		b.sessions.Learn(key, learnedName(t), shape.Of(value))
	}
}

// Learn is told of the result of a direct call in a session of the transport.
func (b *Bridge) Learn(principal, id string, t *catalog.Tool, res *catalog.Result) {
	if t == nil || len(t.OutputSchema) > 0 || res.IsError {
		return
	}
	if ok, v := value(t.Path(), t, res, block); ok {
		b.learn(session.Key{Principal: principal, Session: id}, t, v)
	}
}

// Learned gives the types that a session of the transport has observed.
func (b *Bridge) Learned(principal, id string) func(*catalog.Tool) string {
	return b.learned(session.Key{Principal: principal, Session: id})
}

func (b *Bridge) learned(key session.Key) func(*catalog.Tool) string {
	return func(t *catalog.Tool) string { return b.sessions.Learned(key, learnedName(t)) }
}

// learnedName names a tool as it is in this catalog: one that was changed by its
// owner is another.
func learnedName(t *catalog.Tool) string {
	h := sha256.New()
	h.Write(t.InputSchema)
	h.Write([]byte(t.Description))
	return t.Path() + "\x00" + hex.EncodeToString(h.Sum(nil)[:8])
}
