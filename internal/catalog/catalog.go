package catalog

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"codemode-mcp/internal/policy"
)

// Catalog is an immutable snapshot of tools. It is safe for concurrent use.
type Catalog struct {
	version  uint64
	tools    []*Tool          // by server, then name
	byKey    map[string]*Tool // "server\x00name"
	byPublic map[string]*Tool // the name MCP clients see
	byName   map[string][]*Tool
	servers  []string
}

var versions atomic.Uint64

// New makes a snapshot. Two tools of one server may not share a name.
func New(tools []Tool) (*Catalog, error) {
	c := &Catalog{
		version:  versions.Add(1),
		byKey:    make(map[string]*Tool, len(tools)),
		byPublic: make(map[string]*Tool, len(tools)),
		byName:   make(map[string][]*Tool, len(tools)),
	}
	for i := range tools {
		t := tools[i]
		key := t.Server + "\x00" + t.Name
		if c.byKey[key] != nil {
			return nil, fmt.Errorf("server %q has two tools named %q", t.Server, t.Name)
		}
		c.byKey[key] = &t
		c.tools = append(c.tools, &t)
	}
	slices.SortFunc(c.tools, func(a, b *Tool) int {
		if n := strings.Compare(a.Server, b.Server); n != 0 {
			return n
		}
		return strings.Compare(a.Name, b.Name)
	})
	for _, t := range c.tools {
		c.byName[t.Name] = append(c.byName[t.Name], t)
		c.byPublic[t.PublicName()] = t
		if n := len(c.servers); n == 0 || c.servers[n-1] != t.Server {
			c.servers = append(c.servers, t.Server)
		}
	}
	return c, nil
}

// Version tells snapshots of one process apart.
func (c *Catalog) Version() uint64 { return c.version }

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

// PublicName is the name MCP clients see: the bare name of a built-in tool,
// server__name for every other one.
func (t *Tool) PublicName() string {
	if t.Server == Workspace {
		return t.Name
	}
	return t.Server + "__" + t.Name
}

// Path is the name as a script writes it after "tools.", such as
// "workspace.read_file".
func (t *Tool) Path() string { return t.Server + "." + t.Name }
