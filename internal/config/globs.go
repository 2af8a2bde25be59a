package config

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
)

// Allows reports whether the entry lets a tool through.
func (s *Server) Allows(tool string) bool {
	return !s.Denies(tool) && (len(s.Allow) == 0 || matches(s.Allow, tool))
}

// Denies reports whether the entry hides a tool by its deny globs.
func (s *Server) Denies(tool string) bool { return matches(s.Deny, tool) }

func matches(globs []string, tool string) bool {
	return slices.ContainsFunc(globs, func(g string) bool {
		ok, err := path.Match(g, tool)
		return ok && err == nil
	})
}

// readGlobs reads a list of globs and holds them to the syntax of path.Match.
func readGlobs(where string, raw json.RawMessage, out *[]string) error {
	if err := read(where, raw, "a list of strings", out); err != nil {
		return err
	}
	for _, g := range *out {
		if _, err := path.Match(g, ""); err != nil {
			return &Error{where, fmt.Sprintf("%q is not a glob: %v", g, err)}
		}
	}
	return nil
}
