package discover

import (
	"cmp"
	"slices"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/dispatch"
	"codemode-mcp/internal/near"
	"codemode-mcp/internal/policy"
)

// nearest is how many tools are shown for a name that means none.
const nearest = 3

// maxNearest is how long each may be, in bytes.
const maxNearest = 200

// maxSpelled is how long a name may be that is compared with all others, in bytes.
const maxSpelled = 64

// Nearest shows the tools that a name which means none may have meant: those
// spelled like it, then those that a search finds for its words, then whatever is
// spelled least unlike it. Of a server that it names rightly, all are that server's
// own.
func (v View) Nearest(name string) []string {
	var found []*catalog.Tool
	add := func(t *catalog.Tool) {
		for _, f := range found {
			if f == t {
				return
			}
		}
		if len(found) < nearest {
			found = append(found, t)
		}
	}
	words := name
	server, tool, ok := strings.Cut(strings.NewReplacer("__", ".", "/", ".", ":", ".").Replace(name), ".")
	all := v.Catalog.Visible(v.Principal)
	own := slices.DeleteFunc(slices.Clone(all), func(t *catalog.Tool) bool { return !ok || !t.Of(server) })
	if len(own) > 0 {
		all = own
	}
	for _, path := range v.Catalog.Near(v.Principal, name) {
		if t, err := v.Catalog.Find(v.Principal, path); err == nil && (len(own) == 0 || t.Of(server)) {
			add(t)
		}
	}
	if ok {
		words = tool
		for _, t := range v.Catalog.Search(v.Principal, catalog.Query{Text: words, Server: server}) {
			add(t)
		}
	}
	for _, t := range v.Catalog.Search(v.Principal, catalog.Query{Text: words}) {
		if len(found) == nearest || len(own) > 0 {
			break
		}
		add(t)
	}
	if len(found) < nearest && len(words) <= maxSpelled {
		for _, t := range spelled(all, words) {
			add(t)
		}
	}
	var out []string
	for _, t := range found {
		out = append(out, v.signature(t, maxNearest))
	}
	return out
}

// spelled are those of some tools whose own names are nearest to a name, however far.
func spelled(tools []*catalog.Tool, name string) []*catalog.Tool {
	type candidate struct {
		tool *catalog.Tool
		far  int
	}
	var all []candidate
	for _, t := range tools {
		all = append(all, candidate{t, near.Distance(strings.ToLower(name), strings.ToLower(t.Name))})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var out []*catalog.Tool
	for _, c := range all[:min(len(all), nearest)] {
		out = append(out, c.tool)
	}
	return out
}

// Help is what the dispatcher says about calls that were written wrong.
func Help() dispatch.Help {
	return dispatch.Help{
		Signature: func(c *catalog.Catalog, p policy.Principal, t *catalog.Tool) string {
			return View{Catalog: c, Principal: p}.Signature(t)
		},
		Nearest: func(c *catalog.Catalog, p policy.Principal, name string) []string {
			return View{Catalog: c, Principal: p}.Nearest(name)
		},
	}
}
