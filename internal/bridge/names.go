package bridge

import (
	"encoding/json"

	"codemode-mcp/internal/catalog"
)

// serverNames is what a worker learns of one server: it mirrors what
// [catalog.Catalog.Find] takes.
type serverNames struct {
	Server string `json:"server"`
	// As is the server's name as an identifier, when that is another.
	As    string   `json:"as,omitempty"`
	Tools []string `json:"tools"`
	// Idents are identifiers of tools whose names are none.
	Idents map[string]string `json:"idents,omitempty"`
	// Public are public names that are not server__tool.
	Public []string `json:"public,omitempty"`
	// Alias says that Server is a first name that stands for no server.
	Alias bool `json:"alias,omitempty"`
}

func encodeNames(tools []*catalog.Tool, aliases []string) json.RawMessage {
	list := []serverNames{}
	for _, t := range tools {
		if len(list) == 0 || list[len(list)-1].Server != t.Server {
			list = append(list, serverNames{Server: t.Server})
			if as := t.ServerIdent(); as != t.Server {
				list[len(list)-1].As = as
			}
		}
		s := &list[len(list)-1]
		s.Tools = append(s.Tools, t.Name)
		if id := t.ToolIdent(); id != t.Name {
			if s.Idents == nil {
				s.Idents = map[string]string{}
			}
			s.Idents[t.Name] = id
		}
		if public := t.PublicName(); t.Server != catalog.Workspace && public != t.Server+"__"+t.Name {
			s.Public = append(s.Public, public)
		}
	}
	for _, name := range aliases {
		list = append(list, serverNames{Server: name, Alias: true})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic("BUG: tool names do not encode: " + err.Error())
	}
	return text
}
