package upstream

import (
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
)

// Reload takes the entries as they are now. Roles, allow, deny, timeouts and
// disabled are in force when it returns; calls under way go on. What would start or
// reach something new waits for a restart: a file that changes must not start
// programs. The answer says what waits, one line for each entry.
func (m *Manager) Reload(servers []config.Server) (waiting []string) {
	byKey := map[string]*config.Server{}
	for i := range servers {
		byKey[servers[i].Key] = &servers[i]
	}
	for _, p := range m.peers {
		next := byKey[p.cfg.Key]
		delete(byKey, p.cfg.Key)
		if waits := m.reload(p, next); waits != "" {
			waiting = append(waiting, waits)
		}
	}
	var fresh []newcomer
	for _, s := range servers {
		if byKey[s.Key] != nil {
			why := "the server " + s.Name + " is new in the configuration and waits for a restart of codemode-mcp"
			fresh = append(fresh, newcomer{idents(s.Name), s.Role, why})
			waiting = append(waiting, why)
		}
	}
	m.mu.Lock()
	m.waiting = fresh
	m.mu.Unlock()
	m.publish()
	return waiting
}

// SetMaxResult changes the bound of a result, in bytes. Connections over HTTP that
// are open keep theirs for events.
func (m *Manager) SetMaxResult(n int) { m.maxResult.Store(int64(n)) }

// reload takes the entry of one server; nil means that it is gone.
func (m *Manager) reload(p *peer, next *config.Server) (waits string) {
	why := whyDisabled
	if next == nil {
		gone := *p.rules.Load()
		gone.Disabled = true
		next, why = &gone, "it was removed from the configuration"
	} else if !next.SameLaunch(&p.cfg) {
		waits = "the server " + p.cfg.Name + " has changed in the configuration (how it is started or reached); that waits for a restart of codemode-mcp"
	} else if next.Sampling && !p.cfg.Sampling {
		waits = "the server " + p.cfg.Name + " may use sampling after a restart of codemode-mcp: a server is told so when it starts"
	}
	p.mu.Lock()
	was := p.state == stateDisabled
	p.waits = waits
	p.rules.Store(next)
	p.tools, _ = p.convert(p.raw, p.state != stateReady) // warnings are those of before
	p.mu.Unlock()
	switch {
	case next.Disabled:
		m.disable(p, why)
	case was && p.cfg.Problem != "":
		p.mu.Lock()
		p.changeLocked(func() { p.state, p.reason = stateFailed, p.cfg.Problem })
		p.mu.Unlock()
	case was:
		p.mu.Lock()
		p.changeLocked(func() { p.state, p.reason, p.once = stateStarting, "", false })
		p.mu.Unlock()
		m.start(p)
	}
	return waits
}

// disable ends a server, after the calls that are under way.
func (m *Manager) disable(p *peer, why string) {
	m.mu.Lock()
	stop := p.stop
	m.mu.Unlock()
	if stop != nil {
		stop()
	}
	p.personal.endAll(m)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changeLocked(func() { p.state, p.reason, p.once = stateDisabled, why, true })
}

// newcomer is a server that only a restart begins.
type newcomer struct {
	idents []string
	role   policy.Role
	why    string
}

// whyWaiting says of a name that begins with a newcomer's why it is not there. Who may
// not call its tools hears nothing of it.
func (m *Manager) whyWaiting(who policy.Principal, name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.waiting {
		if who.May(n.role) && begins(name, n.idents) {
			return n.why
		}
	}
	return ""
}

// idents are what names that mean a server begin with.
func idents(server string) []string {
	if id := catalog.Ident(server); id != server {
		return []string{server, id}
	}
	return []string{server}
}

// begins reports whether a name begins with one of a server's.
func begins(name string, idents []string) bool {
	for _, id := range idents {
		if rest, ok := strings.CutPrefix(name, id); ok && (rest == "" || strings.HasPrefix(rest, "__") || strings.ContainsRune("./:", rune(rest[0]))) {
			return true
		}
	}
	return false
}

// afterServer is the tool's part of a name that begins with a server's, or empty.
func afterServer(name string, idents []string) string {
	for _, id := range idents {
		if rest, ok := strings.CutPrefix(name, id); ok && begins(name, []string{id}) && rest != "" {
			if tool, ok := strings.CutPrefix(rest, "__"); ok {
				return tool
			}
			return rest[1:]
		}
	}
	return ""
}
