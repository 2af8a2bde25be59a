package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPublicName is how long a name towards MCP clients may be, in bytes: several
// clients refuse longer ones.
const maxPublicName = 64

// hashTail is how many hex digits tell two names apart that would be equal.
const hashTail = 8

// names are those of a tool in one catalog, besides its own.
type names struct {
	public      string
	serverIdent string
	toolIdent   string
}

// PublicName is the name MCP clients see: the bare name of a built-in tool,
// server__name for every other one. It has letters, digits, "_" and "-" only and
// at most 64 of them: a name that had to be changed for that, and would then be
// another tool's, ends in a hash.
func (t *Tool) PublicName() string {
	if t.public == "" {
		return plainPublic(t)
	}
	return t.public
}

// Path is the name as messages show it, such as "workspace.read_file". A part with
// something in it that does not show, or acts on a terminal, is given as identifier.
func (t *Tool) Path() string {
	server, name := t.Server, t.Name
	if !shows(server) {
		server = t.ServerIdent()
	}
	if !shows(name) {
		name = t.ToolIdent()
	}
	return server + "." + name
}

// shows reports whether a name is what it looks like.
func shows(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

// ServerIdent is the server's name as an identifier of JavaScript: the name
// itself when it is one.
func (t *Tool) ServerIdent() string {
	if t.serverIdent == "" {
		return Ident(t.Server)
	}
	return t.serverIdent
}

// ToolIdent is the tool's own name as an identifier of JavaScript.
func (t *Tool) ToolIdent() string {
	if t.toolIdent == "" {
		return Ident(t.Name)
	}
	return t.toolIdent
}

// nameAll gives every tool its names and fills the maps. What a name becomes
// depends on the set of tools, never on their order.
func (c *Catalog) nameAll() {
	c.identAll()
	c.publishAll()
	for _, t := range c.tools {
		c.byName[t.Name] = append(c.byName[t.Name], t)
		if t.toolIdent != t.Name {
			c.byName[t.toolIdent] = append(c.byName[t.toolIdent], t)
		}
		for _, server := range []string{t.Server, t.serverIdent} {
			for _, name := range []string{t.Name, t.toolIdent} {
				if key := server + "\x00" + name; c.byKey[key] == nil {
					c.byKey[key] = t
				}
			}
		}
	}
}

// identAll gives servers, and the tools of each, their identifiers.
func (c *Catalog) identAll() {
	servers := map[string][]*Tool{}
	var order []string
	for _, t := range c.tools {
		if servers[t.Server] == nil {
			order = append(order, t.Server)
		}
		servers[t.Server] = append(servers[t.Server], t)
	}
	serverIdents := idents(order)
	for _, server := range order {
		own := make([]string, len(servers[server]))
		for i, t := range servers[server] {
			own[i] = t.Name
		}
		toolIdents := idents(own)
		for _, t := range servers[server] {
			t.serverIdent, t.toolIdent = serverIdents[server], toolIdents[t.Name]
		}
	}
}

// idents makes an identifier of each name. An identifier that is another name, or
// that of another name too, ends in a hash.
func idents(list []string) map[string]string {
	wanted := map[string]int{}
	for _, name := range list {
		wanted[Ident(name)]++
	}
	out := make(map[string]string, len(list))
	for _, name := range list {
		id := Ident(name)
		if id != name && wanted[id] > 1 {
			id += "_" + tail(name)
		}
		out[name] = id
	}
	return out
}

// publishAll gives every tool its public name.
func (c *Catalog) publishAll() {
	wanted := map[string][]*Tool{}
	for _, t := range c.tools {
		name := plainPublic(t)
		wanted[name] = append(wanted[name], t)
	}
	c.shared = map[string][]*Tool{}
	for name, tools := range wanted {
		if len(tools) > 1 {
			c.shared[name] = tools
		}
		for _, t := range tools {
			t.public = name
			// One that needed no change keeps the name, if it is the only such.
			if len(tools) > 1 && !(joined(t) == name && unchanged(tools) == 1) {
				t.public = clip(name, maxPublicName-hashTail-1) + "_" + tail(t.Server+"\x00"+t.Name)
			}
			c.byPublic[t.public] = t
		}
	}
}

func unchanged(tools []*Tool) int {
	n := 0
	for _, t := range tools {
		if joined(t) == plainPublic(t) {
			n++
		}
	}
	return n
}

func joined(t *Tool) string {
	if t.Server == Workspace {
		return t.Name
	}
	return t.Server + "__" + t.Name
}

// plainPublic is the public name before others are looked at. A long one ends in
// the hash of the whole.
func plainPublic(t *Tool) string {
	name := joined(t)
	plain := strings.Map(func(r rune) rune {
		if r == '-' || isWord(r) {
			return r
		}
		return '_'
	}, name)
	if len(plain) > maxPublicName {
		plain = clip(plain, maxPublicName-hashTail-1) + "_" + tail(name)
	}
	return plain
}

// Ident makes an identifier of JavaScript of a name: itself when it is one.
func Ident(name string) string {
	id := strings.Map(func(r rune) rune {
		if r == '$' || isWord(r) {
			return r
		}
		return '_'
	}, name)
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "_" + id
	}
	return id
}

func isWord(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

func clip(s string, n int) string { return s[:min(len(s), n)] }

// tail is a short hash of a name.
func tail(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:hashTail/2])
}
