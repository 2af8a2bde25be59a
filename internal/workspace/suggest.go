package workspace

import (
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"codemode-mcp/internal/near"
)

// notFound is the error for a place that does not exist, with the names nearest
// to it in the folder that does.
func notFound(p *place) error {
	name := p.base
	if len(p.missing) > 0 {
		name = p.missing[0]
	}
	above := strings.TrimSuffix(p.rel, strings.Join(append(slices.Clone(p.missing), p.base), "/"))
	above = path.Clean("./" + above)
	e := fail(KindNotFound, p.given, "no such file or folder")
	if len(p.missing) > 0 {
		e = fail(KindNotFound, p.given, "no such file: folder %q has no %q", above, name)
	}
	near := nearest(p.dir, name)
	if len(near) == 0 {
		return e.hint("list_directory on %q shows what there is", above)
	}
	for i, n := range near {
		near[i] = `"` + path.Join(above, n) + `"`
	}
	return e.hint("did you mean %s?", strings.Join(near, " or "))
}

// nearest gives the names in dir most like name, the likeliest first.
func nearest(dir *os.Root, name string) []string {
	f, err := dir.Open(".")
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(maxSuggestScan)
	if err != nil && err != io.EOF {
		return nil
	}
	type scored struct {
		name string
		cost int
	}
	var found []scored
	want := strings.ToLower(name)
	for _, n := range names {
		have := strings.ToLower(n)
		cost := near.Distance(want, have)
		if strings.HasPrefix(have, want) || stem(have) == stem(want) {
			cost = min(cost, 1) // main.ts for main.js, or a name cut short
		}
		if cost <= max(min(len(want)-1, maxTypos), len(want)/3) {
			found = append(found, scored{n, cost})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		if a.cost != b.cost {
			return a.cost - b.cost
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, s := range found[:min(len(found), maxSuggestions)] {
		out = append(out, s.name)
	}
	return out
}

func stem(name string) string {
	if ext := path.Ext(name); ext != name {
		return strings.TrimSuffix(name, ext)
	}
	return name
}
