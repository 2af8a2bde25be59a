package server

import (
	"sync"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/policy"
)

// descriptions are execute_script's texts of one catalog, one for each role: what
// a role may not call is not told to it.
type descriptions struct {
	mu      sync.Mutex
	catalog *catalog.Catalog       // guarded by mu: what they were made of
	limits  limits.Limits          // guarded by mu
	byRole  map[policy.Role]string // guarded by mu
}

// descriptionFor is execute_script's text for a principal.
func (s *Server) descriptionFor(p policy.Principal) string {
	d := &s.texts
	d.mu.Lock()
	defer d.mu.Unlock()
	if c, l := s.opts.Dispatch.Catalog(), s.limits(); d.catalog != c || d.limits != l {
		d.catalog, d.limits, d.byRole = c, l, map[policy.Role]string{}
	}
	text, ok := d.byRole[p.Role]
	if !ok {
		text = s.description(p)
		d.byRole[p.Role] = text
	}
	return text
}
