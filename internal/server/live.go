package server

import (
	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/policy"
)

// live is what a change of the configuration changes without a restart.
type live struct {
	limits    limits.Limits
	principal policy.Principal // of stdio
}

// SetLive takes new limits and the local user's new role. Requests under way keep
// what they began with; clients are told that their list changed.
func (s *Server) SetLive(l limits.Limits, p policy.Principal) {
	old := s.live.Swap(&live{l, p})
	if old.principal.Role != p.Role || old.limits != l {
		// The SDK sees no change of its tools, only our filter does: a tool that is
		// registered again makes it tell the clients.
		s.list.mu.Lock()
		s.list.again = true
		s.list.mu.Unlock()
	}
	s.Refresh()
}

// Close ends every request under way, and those that wait for their clients. Call it
// when nothing is served any more.
func (s *Server) Close() {
	s.stop()
	s.talks.close()
}

func (s *Server) limits() limits.Limits { return s.live.Load().limits }
