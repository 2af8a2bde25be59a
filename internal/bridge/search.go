package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/discover"
	"codemode-mcp/internal/dispatch"
)

// hit is one tool that a search found, as the script sees it.
type hit struct {
	Name        string `json:"name"`
	Signature   string `json:"signature"`
	Description string `json:"description"`
}

// view is what the run's principal sees, with what its session has learned.
func (r *run) view() discover.View {
	return discover.View{Catalog: r.b.dispatch.Catalog(), Principal: r.req.Principal, Learned: r.b.learned(r.key)}
}

// search answers searchTools. Searches do not count as calls.
func (r *run) search(body json.RawMessage, reply func(bool, json.RawMessage)) {
	var q struct {
		Query string   `json:"query"`
		Limit *float64 `json:"limit"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		reply(false, mustJSON("searchTools(query, limit?): query must be a string, limit a number"))
		return
	}
	limit := discover.DefaultHits
	if q.Limit != nil {
		limit = int(max(1, min(*q.Limit, discover.MaxHits)))
	}
	hits, v := []hit{}, r.view()
	for _, t := range v.Hits(q.Query, limit) {
		hits = append(hits, hit{Name: t.Path(), Signature: v.Signature(t), Description: discover.Sentence(t)})
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
	reply(true, mustJSON(r.view().Declaration(t)))
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
