package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/dispatch"
	"codemode-mcp/internal/sdkgen"
)

const (
	// defaultHits and maxHits are how many tools a search gives.
	defaultHits = 5
	maxHits     = 25
	// maxSignature and maxSentence bound a hit, in bytes.
	maxSignature = 300
	maxSentence  = 200
)

// hit is one tool that a search found, as the script sees it.
type hit struct {
	Name        string `json:"name"`
	Signature   string `json:"signature"`
	Description string `json:"description"`
}

// search answers searchTools. Searches do not count as calls.
func (r *run) search(body json.RawMessage, reply func(bool, json.RawMessage)) {
	var q struct {
		Query string `json:"query"`
		Limit *int   `json:"limit"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		reply(false, mustJSON("searchTools(query, limit?): query must be a string, limit a number"))
		return
	}
	limit := defaultHits
	if q.Limit != nil {
		limit = max(1, min(*q.Limit, maxHits))
	}
	hits := []hit{}
	found := r.b.dispatch.Catalog().Search(r.req.Principal, catalog.Query{Text: q.Query})
	for _, t := range found[:min(len(found), limit)] {
		hits = append(hits, hit{Name: t.Path(), Signature: callOf(t), Description: firstSentence(t.Description)})
	}
	reply(true, mustJSON(hits))
}

// describe answers describeTool with the declaration of one tool.
func (r *run) describe(body json.RawMessage, reply func(bool, json.RawMessage)) {
	var name string
	if err := json.Unmarshal(body, &name); err != nil {
		reply(false, mustJSON("describeTool(name): name must be a string"))
		return
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "tools."), "codemode.")
	t, err := r.b.dispatch.Resolve(r.ctx, r.req.Principal, r.b.unalias(r.req.Principal, name))
	if err != nil {
		reply(false, mustJSON(r.fromDispatch(err).Message))
		return
	}
	reply(true, mustJSON(sdkgen.Declaration(t, nil)))
}

// maxListed is how many names an error lists.
const maxListed = 12

// howToFind says how a script finds the tools there are: those of the server that
// it named, when there is one, or the servers.
func (r *run) howToFind(e *dispatch.Error) string {
	c := r.b.dispatch.Catalog()
	var missing *catalog.NotFoundError
	if !errors.As(e.Err, &missing) {
		return ""
	}
	hint := "await searchTools(\"words\") finds tools"
	if len(missing.Near) > 0 {
		return hint
	}
	server, _, _ := strings.Cut(e.Tool, ".")
	what, names := server+" has", []string(nil)
	for _, t := range c.Visible(r.req.Principal) {
		if t.Server == server || t.ServerIdent() == server {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		what, names = "the servers are", missing.Servers
	}
	if len(names) == 0 {
		return ""
	}
	more := ""
	if len(names) > maxListed {
		more, names = fmt.Sprintf(" and %d more", len(names)-maxListed), names[:maxListed]
	}
	return fmt.Sprintf("%s %s%s; %s", what, strings.Join(names, ", "), more, hint)
}

// callOf is a tool's signature under the path by which a script surely reaches it.
func callOf(t *catalog.Tool) string {
	signature := sdkgen.Signature(t, maxSignature)
	if t.Server == catalog.Workspace {
		return "tools." + signature
	}
	return fmt.Sprintf("tools[%q][%q]%s", t.Server, t.Name, signature[max(strings.IndexByte(signature, '('), 0):])
}

func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		s = s[:i+1]
	}
	if len(s) > maxSentence {
		s = strings.ToValidUTF8(s[:maxSentence], "") + "..."
	}
	return s
}
