package worker

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// names is what the script may see of the tools: which paths exist. The host
// sends it with the first run and when it changes; it grants nothing.
type names struct {
	servers map[string]map[string]bool
	order   map[string][]string // by server, "" for the top level
	flat    map[string]bool
	as      map[string]string // a server by its name as an identifier
	aliases map[string]bool   // first names that stand for no server
}

// load reads the names of a Run frame, a list of servers with their tools, in
// order. An empty text keeps what was sent before.
func (n *names) load(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	var sent []struct {
		Server string            `json:"server"`
		As     string            `json:"as"`
		Tools  []string          `json:"tools"`
		Idents map[string]string `json:"idents"`
		Public []string          `json:"public"`
		Alias  bool              `json:"alias"`
	}
	if err := json.Unmarshal(text, &sent); err != nil {
		return fmt.Errorf("read names: %w", err)
	}
	*n = names{servers: map[string]map[string]bool{}, order: map[string][]string{}, flat: map[string]bool{}, as: map[string]string{}, aliases: map[string]bool{}}
	count := map[string]int{}
	for _, s := range sent {
		if s.Alias {
			n.aliases[s.Server] = true
			continue
		}
		tools := make(map[string]bool, len(s.Tools))
		for _, t := range s.Tools {
			tools[t] = true
			count[t]++
			if id := s.Idents[t]; id != "" {
				tools[id] = true
				count[id]++
			}
		}
		n.servers[s.Server] = tools
		n.order[s.Server] = s.Tools
		n.order[""] = append(n.order[""], s.Server)
		if s.As != "" {
			n.servers[s.As], n.as[s.As] = tools, s.Server
		}
		for _, name := range s.Public {
			n.flat[name] = true
		}
	}
	for _, s := range sent {
		for _, t := range s.Tools {
			if count[t] == 1 && n.servers[t] == nil {
				n.order[""] = append(n.order[""], t)
			}
			for _, name := range []string{t, s.Idents[t]} {
				if name != "" && count[name] == 1 {
					n.flat[name] = true
				}
			}
		}
	}
	return nil
}

// kind says what a path such as "workspace" or "workspace.read_file" is: "tool",
// "namespace", "both", or nothing.
func (n *names) kind(path string) string {
	for server, tools := range n.servers { // a server's name may hold a dot
		if rest, ok := strings.CutPrefix(path, server+"."); ok && tools[rest] {
			return "tool"
		}
	}
	_, namespace := n.servers[path]
	switch {
	case namespace && n.flat[path]:
		return "both"
	case namespace:
		return "namespace"
	case n.flat[path] || n.joined(path):
		return "tool"
	case n.aliases[path]:
		return "alias"
	}
	return ""
}

// paths lists every tool as server.tool.
func (n *names) paths() []string {
	var out []string
	for server, tools := range n.order {
		if server == "" {
			continue
		}
		for _, t := range tools {
			out = append(out, server+"."+t)
		}
	}
	slices.Sort(out)
	return out
}

// joined reports whether the path is server__tool, as other gateways name tools.
func (n *names) joined(path string) bool {
	path = strings.TrimPrefix(path, "mcp__")
	for i := 0; ; {
		j := strings.Index(path[i:], "__")
		if j < 0 {
			return false
		}
		i += j
		if n.servers[path[:i]][path[i+2:]] {
			return true
		}
		i++
	}
}

// list gives the names under a prefix such as "" or "workspace." as JSON.
func (n *names) list(prefix string) string {
	server := strings.TrimSuffix(prefix, ".")
	if name, ok := n.as[server]; ok {
		server = name
	}
	list := n.order[server]
	if list == nil {
		list = []string{}
	}
	out, err := json.Marshal(list)
	if err != nil {
		return "[]"
	}
	return string(out)
}
