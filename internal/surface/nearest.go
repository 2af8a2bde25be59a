package surface

import (
	"slices"
	"strings"
)

const (
	// maxNear is how many names a hint lists.
	maxNear = 3
	// maxName is the longest name that is compared, in bytes: longer ones are no
	// typing mistakes.
	maxName = 60
)

// Instead says what to do about a name that is not defined, from what is absent
// on purpose, or else from the nearest names of the surface and the tools. tools
// are paths such as "workspace.read_file".
func Instead(name string, tools []string) string {
	for _, a := range Absent {
		if a.Name == name {
			return a.Instead
		}
	}
	type near struct {
		text string
		far  int
	}
	var found []near
	add := func(text, compared string) {
		limit := max(1, len(name)/3)
		if d := distance(strings.ToLower(name), strings.ToLower(compared)); d <= limit {
			found = append(found, near{text, d})
		}
	}
	if len(name) <= maxName {
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
	slices.SortStableFunc(found, func(a, b near) int { return a.far - b.far })
	if len(found) == 0 {
		return "define it, or use what a script has: " + strings.Join(Names(), ", ")
	}
	names := make([]string, 0, maxNear)
	for _, f := range found[:min(len(found), maxNear)] {
		names = append(names, f.text)
	}
	return "did you mean " + strings.Join(names, " or ") + "?"
}

// distance is the number of letters to change, add, drop or swap with their
// neighbour.
func distance(a, b string) int {
	if len(a) > maxName || len(b) > maxName {
		return maxName
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	next := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
