package catalog

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"codemode-mcp/internal/policy"
)

// Catalog is an immutable snapshot of tools. It is safe for concurrent use.
type Catalog struct {
	version  uint64
	tools    []*Tool            // by server, then name
	byKey    map[string]*Tool   // "server\x00name", each by its own name and as an identifier
	byPublic map[string]*Tool   // the name MCP clients see
	byName   map[string][]*Tool // the tool's own name, and as an identifier
	rank     map[*Tool]int      // its place in the list that the snapshot was made of
	shared   map[string][]*Tool // public names that several tools would have had

	indexOnce sync.Once
	index     index // over tools, for Search
}

var versions atomic.Uint64

// New makes a snapshot. Two tools of one server may not share a name.
func New(tools []Tool) (*Catalog, error) {
	c := &Catalog{
		version:  versions.Add(1),
		byKey:    make(map[string]*Tool, len(tools)),
		byPublic: make(map[string]*Tool, len(tools)),
		byName:   make(map[string][]*Tool, len(tools)),
		rank:     make(map[*Tool]int, len(tools)),
	}
	for i := range tools {
		t := tools[i]
		key := t.Server + "\x00" + t.Name
		if c.byKey[key] != nil {
			return nil, fmt.Errorf("server %q has two tools named %q", t.Server, t.Name)
		}
		c.byKey[key] = &t
		c.rank[&t] = i
		c.tools = append(c.tools, &t)
	}
	slices.SortFunc(c.tools, func(a, b *Tool) int {
		if n := strings.Compare(a.Server, b.Server); n != 0 {
			return n
		}
		return strings.Compare(a.Name, b.Name)
	})
	c.nameAll()
	return c, nil
}

// Version tells snapshots of one process apart.
func (c *Catalog) Version() uint64 { return c.version }

// Rank is the place that a tool had in the list: a server tells its most useful
// tools first.
func (c *Catalog) Rank(t *Tool) int { return c.rank[t] }

// Visible lists the tools the principal may call, by server, then name.
func (c *Catalog) Visible(p policy.Principal) []*Tool {
	out := make([]*Tool, 0, len(c.tools))
	for _, t := range c.tools {
		if p.May(t.Role) {
			out = append(out, t)
		}
	}
	return out
}
