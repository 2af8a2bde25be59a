package catalog

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"codemode-mcp/internal/near"
	"codemode-mcp/internal/policy"
)

// NotFoundError says that a name means no tool the principal may call.
type NotFoundError struct {
	// Name is the name as it was asked for.
	Name string
	// Near lists the nearest names that would work, best first.
	Near []string
	// Servers lists the namespaces that exist for the principal.
	Servers []string
}

// Error names the nearest tools.
func (e *NotFoundError) Error() string {
	msg := fmt.Sprintf("no tool is named %q", e.Name)
	switch {
	case len(e.Near) > 0:
		msg += ": did you mean " + orList(e.Near) + "?"
	case len(e.Servers) == 0:
		msg += ": no tools are available"
	}
	return msg
}

// AmbiguousError says that several servers have a tool of that bare name.
type AmbiguousError struct {
	Name string
	// Candidates are the paths that tell them apart.
	Candidates []string
}

// Error lists the candidates.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("several servers have a tool named %q: use %s", e.Name, orList(e.Candidates))
}

// ForbiddenError says that the tool exists and the principal's role is too low.
type ForbiddenError struct {
	Tool *Tool
	Has  policy.Role
}

// Error names the role that is needed.
func (e *ForbiddenError) Error() string {
	return fmt.Sprintf("%s needs the role %s, and this session has %s", e.Tool.Path(), e.Tool.Role, e.Has)
}

// maxNear is how many near names an error lists.
const maxNear = 3

// Find looks a tool up by any of its names: the public name, a bare name that
// one server has, or server and tool joined by ".", "__", "/" or ":", with or
// without a leading "mcp__". Server and tool go by their own names and by their
// identifiers. The error is a [NotFoundError], an
// [AmbiguousError] or a [ForbiddenError].
func (c *Catalog) Find(p policy.Principal, name string) (*Tool, error) {
	if t := c.spelled(p, name); t != nil {
		return t, nil
	}
	if t := c.spelled(policy.Principal{Role: policy.Admin}, name); t != nil && !p.May(t.Role) {
		return nil, &ForbiddenError{Tool: t, Has: p.Role}
	}
	var bare []string
	for _, t := range c.byName[name] {
		if p.May(t.Role) {
			bare = append(bare, t.Path())
		}
	}
	if len(bare) > 1 {
		return nil, &AmbiguousError{Name: name, Candidates: bare}
	}
	if several := c.several(p, name); len(several) > 1 {
		return nil, &AmbiguousError{Name: name, Candidates: several}
	}
	return nil, &NotFoundError{Name: name, Near: c.Near(p, name), Servers: c.Servers(p)}
}

func (c *Catalog) spelled(p policy.Principal, name string) *Tool {
	if t := c.exact(p, name); t != nil {
		return t
	}
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		return c.exact(p, rest)
	}
	return nil
}

func (c *Catalog) exact(p policy.Principal, name string) *Tool {
	if t := c.byPublic[name]; t != nil && p.May(t.Role) {
		return t
	}
	var one *Tool
	for _, t := range c.byName[name] {
		if p.May(t.Role) {
			if one != nil {
				one = nil
				break
			}
			one = t
		}
	}
	if one != nil {
		return one
	}
	if c.shared[name] != nil {
		return nil
	}
	if found := c.split(p, name); len(found) == 1 {
		return found[0]
	}
	return nil
}

// split finds the tools that a joined name can mean: server and tool with one of
// the separators at any place.
func (c *Catalog) split(p policy.Principal, name string) []*Tool {
	var found []*Tool
	for _, sep := range []string{".", "__", "/", ":"} {
		for i := 0; ; {
			j := strings.Index(name[i:], sep)
			if j < 0 {
				break
			}
			i += j
			if t := c.byKey[name[:i]+"\x00"+name[i+len(sep):]]; t != nil && p.May(t.Role) && !slices.Contains(found, t) {
				found = append(found, t)
			}
			i++
		}
		if len(found) > 0 {
			break
		}
	}
	return found
}

// several lists the public names of the tools that a joined name can mean.
func (c *Catalog) several(p policy.Principal, name string) []string {
	list := c.shared[name]
	if list == nil {
		list = c.split(p, name)
	}
	var out []string
	for _, t := range list {
		if p.May(t.Role) {
			out = append(out, t.PublicName())
		}
	}
	return out
}

// Servers lists the namespaces in which the principal may call something.
func (c *Catalog) Servers(p policy.Principal) []string {
	var out []string
	for _, t := range c.tools {
		if p.May(t.Role) && (len(out) == 0 || out[len(out)-1] != t.Server) {
			out = append(out, t.Server)
		}
	}
	return out
}

// Single reports whether no other tool has the tool's own name.
func (c *Catalog) Single(t *Tool) bool { return len(c.byName[t.Name]) == 1 }

// maxWanted bounds the parts of a name that is compared with every tool's, in bytes:
// a longer one is hardly a slip, and a script may ask often.
const maxWanted = 128

// Near lists the paths closest in spelling to a name that means no tool.
func (c *Catalog) Near(p policy.Principal, name string) []string {
	wantServer, wantTool := "", name
	if i := strings.LastIndexAny(name, "./:"); i >= 0 {
		wantServer, wantTool = name[:i], name[i+1:]
	} else if server, tool, ok := strings.Cut(name, "__"); ok {
		wantServer, wantTool = server, tool
	}
	if len(wantTool) > maxWanted || len(wantServer) > maxWanted {
		return nil
	}
	limit, want := slip(wantTool), fold(wantTool)
	away, awayOf := 0, "" // tools are in the order of their servers
	var found ranking
	for _, t := range c.tools {
		if !p.May(t.Role) {
			continue
		}
		has, cost := fold(t.Name), limit+1
		if d := len(want) - len(has); -limit <= d && d <= limit { // it is at least so far apart
			cost = near.Distance(want, has)
		}
		if cost > limit && len(want) >= 4 && strings.Contains(has, want) {
			cost = limit
		}
		if cost > limit {
			continue
		}
		if wantServer != "" {
			if awayOf != t.Server {
				away, awayOf = near.Distance(fold(wantServer), fold(t.Server)), t.Server
			}
			switch {
			case away > slip(wantServer) && cost > 0:
				continue
			case cost == 0: // the very tool, elsewhere
				cost = min(away, limit)
			default:
				cost = min(cost+away, limit)
			}
		}
		found.add(t.Path(), cost, limit)
	}
	return found.best()
}

// Nearest returns the candidates close enough to name to be a slip of it, best
// first.
func Nearest(name string, candidates []string) []string {
	var found ranking
	for _, c := range candidates {
		found.add(c, near.Distance(fold(name), fold(c)), slip(name))
	}
	return found.best()
}

// slip is the distance up to which one name is taken for a slip of another.
func slip(name string) int { return max(2, len(name)/3) }

type ranking []struct {
	name string
	cost int
}

func (r *ranking) add(name string, cost, limit int) {
	if cost <= limit {
		*r = append(*r, struct {
			name string
			cost int
		}{name, cost})
	}
}

func (r ranking) best() []string {
	sort.SliceStable(r, func(i, j int) bool { return r[i].cost < r[j].cost })
	var out []string
	for _, f := range r[:min(len(r), maxNear)] {
		out = append(out, f.name)
	}
	return out
}

// fold makes readFile, read-file and READ_FILE equal.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func orList(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
