package surface

import (
	"slices"
	"strings"

	"codemode-mcp/internal/near"
)

const (
	// maxNear is how many names a hint lists.
	maxNear = 3
	// maxName is the longest name that is compared, in bytes: longer ones are no
	// typing mistakes.
	maxName = 60
)

// Instead says what to do about a name that is not defined, from what is absent
// on purpose, or else from the nearest names of the script, the surface and the
// tools. tools are paths such as "workspace.read_file".
func Instead(name string, own, tools []string) string {
	for _, a := range Absent {
		if a.Name == name {
			return a.Instead
		}
	}
	type candidate struct {
		text string
		far  int
	}
	var found []candidate
	add := func(text, compared string) {
		limit := max(1, len(name)/3)
		if d := near.Distance(strings.ToLower(name), strings.ToLower(compared)); d <= limit {
			found = append(found, candidate{text, d})
		}
	}
	if len(name) <= maxName {
		for _, n := range own {
			if n != name && !slices.Contains(Names(), n) {
				add(n, n)
			}
		}
		for _, n := range Names() {
			add(n, n)
		}
		last := ""
		for _, t := range tools {
			dot := strings.LastIndexByte(t, '.')
			if server := t[:max(dot, 0)]; server != last {
				add("tools."+server, server)
				last = server
			}
			add("tools."+t, t[dot+1:])
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.far - b.far })
	if len(found) == 0 {
		return "define it, or use what a script has: " + strings.Join(Names(), ", ")
	}
	names := make([]string, 0, maxNear)
	for _, f := range found[:min(len(found), maxNear)] {
		names = append(names, f.text)
	}
	return "did you mean " + strings.Join(names, " or ") + "?"
}
