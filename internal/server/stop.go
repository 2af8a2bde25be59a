package server

// Stop ends every request under way: each answers that it was cancelled. Nothing is
// served after it.
func (s *Server) Stop() { s.stop() }
