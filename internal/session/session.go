// Package session keeps what outlives a run: a script's state, results that were
// too long for the answer, which scripts failed before, and the forms of tools' results.
// It makes the handles of transports without sessions.
//
// It owns the bounds of what is kept and who may see it: everything belongs to
// one principal and one session. Of this module it imports
// only shape.
package session

import (
	"encoding/json"

	"codemode-mcp/internal/shape"
)

// Key names an owner. Nothing that is kept for one key is ever given to another.
type Key struct {
	// Principal is who made the run.
	Principal string
	// Session tells the sessions of a principal apart: empty for the one of stdio,
	// the transport's id, or a handle.
	Session string
}

// Store keeps things for sessions. Its methods are safe for concurrent use.
type Store interface {
	// State gives the state as a JSON object, "{}" when there is none.
	State(Key) json.RawMessage
	// Change writes single keys of the state. A key that would make the state
	// larger than limit bytes is left as it was and comes back in refused.
	Change(key Key, set map[string]json.RawMessage, remove []string, limit int) (refused []string)
	// Keep keeps a result and gives its id, which can't be guessed. It is empty
	// when the result is too large to keep.
	Keep(Key, json.RawMessage) (id string)
	// Result gives a result that was kept for any session of the principal: who
	// reads it may have no session to name.
	Result(principal, id string) (json.RawMessage, bool)
	// Failed counts how often a failure was seen, this time included. The
	// fingerprint tells failures apart.
	Failed(key Key, fingerprint string) int
	// Wants reports whether a result of a tool should be looked at; Learn adds the form of one more result of a tool; Learned gives the type of all
	// that were seen, or nothing.
	Wants(key Key, tool string) bool
	Learn(key Key, tool string, s *shape.Shape)
	Learned(key Key, tool string) string
	// End forgets a session.
	End(Key)
}
