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
	// maxAllBytes bounds the results kept for all sessions together.
	maxAllBytes = 128 << 20
	// maxFailures bounds the failures that are remembered for one session.
	maxFailures = 200
)

// Memory is a [Store] in this process. Make it with [NewMemory].
type Memory struct {
	mu       sync.Mutex
	sessions map[Key]*entry // guarded by mu
	clock    uint64         // guarded by mu: counts uses
	bytes    int            // guarded by mu: of all kept results
}

type entry struct {
	used        uint64
	state       map[string]json.RawMessage
	stateBytes  int
	results     []result // oldest first
	resultBytes int
	failures    map[string]int
}

type result struct {
	id   string
	text json.RawMessage
}

var _ Store = (*Memory)(nil)

// NewMemory makes an empty store.
func NewMemory() *Memory { return &Memory{sessions: map[Key]*entry{}} }

// entryLocked finds or makes a session. The caller holds mu.
func (m *Memory) entryLocked(key Key) *entry {
	m.clock++
	e := m.sessions[key]
	if e == nil {
		if len(m.sessions) >= maxSessions {
			m.evictLocked()
		}
		e = &entry{state: map[string]json.RawMessage{}, failures: map[string]int{}}
		m.sessions[key] = e
	}
	e.used = m.clock
	return e
}

// evictLocked forgets the session that was unused longest.
func (m *Memory) evictLocked() {
	var oldest Key
	least := m.clock + 1
	for k, e := range m.sessions {
		if e.used < least {
			oldest, least = k, e.used
		}
	}
	m.endLocked(oldest)
}

func (m *Memory) endLocked(key Key) {
	if e := m.sessions[key]; e != nil {
		m.bytes -= e.resultBytes
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
	text, err := json.Marshal(m.entryLocked(key).state)
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
			e.stateBytes -= len(name) + len(old)
			delete(e.state, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		value := set[name]
		size := e.stateBytes + len(name) + len(value)
		if old, ok := e.state[name]; ok {
			size -= len(name) + len(old)
		}
		if size > limit || !json.Valid(value) {
			refused = append(refused, name)
			continue
		}
		e.state[name] = slices.Clone(value)
		e.stateBytes = size
	}
	return refused
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
	for m.bytes+len(text) > maxAllBytes && len(m.sessions) > 1 {
		m.evictLocked()
	}
	e.resultBytes += len(text)
	m.bytes += len(text)
	r := result{id: rand.Text(), text: slices.Clone(text)} // text may be a part of a large frame
	e.results = append(e.results, r)
	return r.id
}

// Result gives a result that was kept.
func (m *Memory) Result(key Key, id string) (json.RawMessage, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.sessions[key]
	if e == nil {
		return nil, false
	}
	for _, r := range e.results {
		if r.id == id {
			return r.text, true
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
