package session

import "codemode-mcp/internal/shape"

// maxLearned bounds the tools whose results are learned in one session: what comes
// later is not.
const maxLearned = 500

// learned is the form of a tool's results. The text changes only when the form
// does, so that prompts which hold it stay the same.
type learned struct {
	shape *shape.Shape
	text  string
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
	if e.learned == nil {
		e.learned = map[string]learned{}
	}
	e.learned[tool] = learned{now, now.TypeScript()}
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
