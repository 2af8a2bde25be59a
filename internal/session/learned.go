package session

import (
	"math/bits"

	"codemode-mcp/internal/shape"
)

const (
	// maxLearned bounds the tools whose results are learned in one session: what comes
	// later is not.
	maxLearned = 500
	// maxForm bounds the form of one tool's results, and maxForms those that are kept
	// for one principal, in bytes; those of the session unused longest go.
	maxForm  = 16 << 10
	maxForms = 8 << 20
	// partCost is what a part of a form takes in memory, about, in bytes.
	partCost = 200
	// quietResults is how many results must have changed nothing before most are not
	// looked at any more.
	quietResults = 3
)

// learned is the form of a tool's results. The text changes only when the form
// does, so that prompts which hold it stay the same.
type learned struct {
	shape *shape.Shape
	text  string
	bytes int
	quiet uint // results since it changed
}

// Wants reports whether a result of a tool should be looked at. After some that
// changed nothing only every second, fourth, eighth and so on is: to look costs more
// than the call when results are large.
func (m *Memory) Wants(key Key, tool string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.sessions[key]
	if e == nil {
		return true
	}
	f, known := e.learned[tool]
	if !known {
		return len(e.learned) < maxLearned
	}
	f.quiet++
	e.learned[tool] = f
	return f.quiet <= quietResults || bits.OnesCount(f.quiet) == 1
}

// Learn adds the form of one more result of a tool.
func (m *Memory) Learn(key Key, tool string, s *shape.Shape) {
	if s == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entryLocked(key)
	old, known := e.learned[tool]
	if !known && len(e.learned) >= maxLearned {
		return
	}
	now := shape.Merge(old.shape, s)
	if known && shape.Equal(old.shape, now) {
		return
	}
	f := learned{shape: now, text: now.TypeScript()}
	f.bytes = len(tool) + len(f.text) + now.Parts()*partCost
	more := f.bytes - old.bytes
	if f.bytes > maxForm || !m.roomForFormLocked(key, more) || !m.roomLocked(key, more) {
		return // what was known stays
	}
	if e.learned == nil {
		e.learned = map[string]learned{}
	}
	e.learned[tool] = f
	m.growFormsLocked(key.Principal, e, more)
}

// growFormsLocked counts bytes of a session's forms.
func (m *Memory) growFormsLocked(principal string, e *entry, bytes int) {
	e.learnedBytes += bytes
	m.bytes += bytes
	if m.forms[principal] += bytes; m.forms[principal] == 0 {
		delete(m.forms, principal)
	}
}

// roomForFormLocked makes room among the forms of one principal, and says whether
// there is.
func (m *Memory) roomForFormLocked(key Key, more int) bool {
	for m.forms[key.Principal]+more > maxForms {
		var oldest *entry
		for k, e := range m.sessions {
			if k.Principal == key.Principal && k != key && e.learnedBytes > 0 && (oldest == nil || e.used < oldest.used) {
				oldest = e
			}
		}
		if oldest == nil {
			return false
		}
		m.growFormsLocked(key.Principal, oldest, -oldest.learnedBytes)
		oldest.learned = nil
	}
	return true
}

// Learned gives the type of a tool's results, or nothing.
func (m *Memory) Learned(key Key, tool string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.sessions[key]; e != nil {
		return e.learned[tool].text
	}
	return ""
}
