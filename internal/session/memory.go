package session

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

const (
	// maxSessions bounds the sessions that are kept; the one unused longest goes.
	maxSessions = 1000
	// maxResults and maxResultBytes bound the results kept for one session; the
	// oldest go.
	maxResults     = 20
	maxResultBytes = 32 << 20
	// maxAllBytes bounds what is kept for all sessions together: results, states and
	// learned forms.
	maxAllBytes = 256 << 20
	// maxFailures bounds the failures that are remembered for one session.
	maxFailures = 200
)

// Memory is a [Store] in this process. Make it with [NewMemory].
type Memory struct {
	mu       sync.Mutex
	sessions map[Key]*entry // guarded by mu
	clock    uint64         // guarded by mu: counts uses
	bytes    int            // guarded by mu: of all that is kept
	forms    map[string]int // guarded by mu: bytes of learned forms, by principal
}

type entry struct {
	used         uint64
	state        map[string]json.RawMessage
	stateBytes   int
	results      []result // oldest first
	resultBytes  int
	failures     map[string]int
	learned      map[string]learned // the forms of results, by tool
	learnedBytes int
}

type result struct {
	id   string
	text json.RawMessage
}

var _ Store = (*Memory)(nil)

// NewMemory makes an empty store.
func NewMemory() *Memory { return &Memory{sessions: map[Key]*entry{}, forms: map[string]int{}} }

// entryLocked finds or makes a session. The caller holds mu.
func (m *Memory) entryLocked(key Key) *entry {
	m.clock++
	e := m.sessions[key]
	if e == nil {
		if len(m.sessions) >= maxSessions {
			m.evictLocked(key, func(*entry) int { return 1 })
		}
		e = &entry{state: map[string]json.RawMessage{}, failures: map[string]int{}}
		m.sessions[key] = e
	}
	e.used = m.clock
	return e
}

// evictLocked forgets one session, but not the one that is kept: of the principal
// whose sessions weigh most, the one that was unused longest. So nobody pushes
// out what others keep.
func (m *Memory) evictLocked(kept Key, weight func(*entry) int) bool {
	weights, heaviest := map[string]int{}, ""
	for k, e := range m.sessions {
		if k == kept {
			continue
		}
		if weights[k.Principal] += weight(e); weights[k.Principal] > weights[heaviest] || weights[heaviest] == 0 {
			heaviest = k.Principal
		}
	}
	var oldest Key
	least := m.clock + 1
	for k, e := range m.sessions {
		if k != kept && k.Principal == heaviest && weight(e) > 0 && e.used < least {
			oldest, least = k, e.used
		}
	}
	if least > m.clock {
		return false
	}
	m.endLocked(oldest)
	return true
}

// roomLocked makes room for so many bytes of a session, and says whether there
// is.
func (m *Memory) roomLocked(key Key, size int) bool {
	for m.bytes+size > maxAllBytes {
		if !m.evictLocked(key, (*entry).bytes) {
			return false
		}
	}
	return true
}

func (e *entry) bytes() int { return e.resultBytes + e.stateBytes + e.learnedBytes }

func (m *Memory) endLocked(key Key) {
	if e := m.sessions[key]; e != nil {
		m.growFormsLocked(key.Principal, e, -e.learnedBytes)
		m.bytes -= e.bytes()
		delete(m.sessions, key)
	}
}

// dropResultLocked drops the oldest result of a session.
func (m *Memory) dropResultLocked(e *entry) {
	size := len(e.results[0].text)
	e.resultBytes -= size
	m.bytes -= size
	e.results = e.results[1:]
}

// State gives the state as a JSON object.
func (m *Memory) State(key Key) json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.sessions[key]
	if e == nil { // to look makes no session
		return json.RawMessage("{}")
	}
	m.clock++
	e.used = m.clock
	text, err := json.Marshal(e.state)
	if err != nil {
		panic("BUG: kept state does not encode: " + err.Error())
	}
	return text
}

// Change writes single keys of the state.
func (m *Memory) Change(key Key, set map[string]json.RawMessage, remove []string, limit int) (refused []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entryLocked(key)
	for _, name := range remove {
		if old, ok := e.state[name]; ok {
			m.growLocked(e, -len(name)-len(old))
			delete(e.state, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		value := set[name]
		more := len(name) + len(value)
		if old, ok := e.state[name]; ok {
			more -= len(name) + len(old)
		}
		if e.stateBytes+more > limit || !json.Valid(value) || !m.roomLocked(key, more) {
			refused = append(refused, name)
			continue
		}
		e.state[name] = slices.Clone(value)
		m.growLocked(e, more)
	}
	return refused
}

// growLocked counts bytes of a session's state.
func (m *Memory) growLocked(e *entry, bytes int) {
	e.stateBytes += bytes
	m.bytes += bytes
}

// Keep keeps a result.
func (m *Memory) Keep(key Key, text json.RawMessage) string {
	if len(text) > maxResultBytes {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entryLocked(key)
	for len(e.results) > 0 && (len(e.results) >= maxResults || e.resultBytes+len(text) > maxResultBytes) {
		m.dropResultLocked(e)
	}
	if !m.roomLocked(key, len(text)) {
		return ""
	}
	e.resultBytes += len(text)
	m.bytes += len(text)
	r := result{id: rand.Text(), text: slices.Clone(text)} // text may be a part of a large frame
	e.results = append(e.results, r)
	return r.id
}

// Result gives a result that was kept, whatever the session.
func (m *Memory) Result(principal, id string) (json.RawMessage, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, e := range m.sessions {
		if k.Principal != principal {
			continue
		}
		for _, r := range e.results {
			if r.id == id {
				return r.text, true
			}
		}
	}
	return nil, false
}

// Failed counts a failure.
func (m *Memory) Failed(key Key, fingerprint string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entryLocked(key)
	if len(e.failures) >= maxFailures && e.failures[fingerprint] == 0 {
		clear(e.failures)
	}
	e.failures[fingerprint]++
	return e.failures[fingerprint]
}

// End forgets a session.
func (m *Memory) End(key Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.endLocked(key)
}
