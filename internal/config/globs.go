package config

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
)

// Allows reports whether the entry lets a tool through.
func (s *Server) Allows(tool string) bool {
	match := func(globs []string) bool {
		return slices.ContainsFunc(globs, func(g string) bool {
			ok, err := path.Match(g, tool)
			return ok && err == nil
		})
	}
	return !match(s.Deny) && (len(s.Allow) == 0 || match(s.Allow))
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
