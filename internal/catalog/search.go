package catalog

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/textsearch"
)

// fields are what a search looks at, and how much a word counts by where it
// stands. tool.texts gives them in this order.
var fields = []textsearch.Field{
	{Weight: 7, Length: 1, Compounds: true, Doing: true}, // name
	{Weight: 3, Length: 0.3, Compounds: true},            // title
	{Weight: 3, Length: 0, Compounds: true, Place: true}, // server
	{Weight: 4, Length: 0.4, Compounds: true},            // the first sentence of the description
	{Weight: 0.8, Length: 0.75},                          // the rest of it
	{Weight: 0.7, Length: 0.5},                           // names of arguments
	{Weight: 1.5, Length: 0.5, Compounds: true},          // what they may be: a tool of many methods names them there
	{Weight: 0.4, Length: 0.75},                          // their descriptions
}

const (
	// maxQuery bounds the text of a search, in bytes.
	maxQuery = 2000
	// maxSelected is how many names "select:" takes.
	maxSelected = 50
	// maxSearched bounds how much of a description or a schema is searched, in bytes.
	maxSearched = 64 << 10
)

// Query is what a search looks for.
type Query struct {
	// Text is "select:A,B" for exactly these names in this order, unknown ones left
	// out; "+part words" for the tools whose name holds part, ranked by the words; or
	// words.
	Text string
	// Server keeps the tools of one server. Empty means all.
	Server string
}

// Search finds tools that the principal may call, best first, ties by name. An
// empty text finds nothing, or all of the server that is named.
func (c *Catalog) Search(p policy.Principal, q Query) []*Tool {
	text := strings.TrimSpace(q.Text[:min(len(q.Text), maxQuery)])
	if names, ok := cutFold(text, "select:"); ok {
		return slices.DeleteFunc(c.selected(p, names), func(t *Tool) bool { return !t.Of(q.Server) })
	}
	part, filtered := "", strings.HasPrefix(text, "+")
	if filtered {
		part, text, _ = strings.Cut(text[1:], " ")
		part, text = strings.ToLower(part), strings.TrimSpace(text)
	}
	if text == "" && !filtered && q.Server == "" {
		return nil
	}
	type hit struct {
		tool  *Tool
		score float64
	}
	var scores []float64
	all := text == "" || filtered // a name that holds part is enough
	var named map[int]float64
	if text != "" {
		x := c.indexed()
		scores, named = x.words.Scores(text), x.exactly(namesIn(text))
	}
	var hits []hit
	for i, t := range c.tools {
		if !p.May(t.Role) || !t.Of(q.Server) || !t.holds(part) {
			continue
		}
		h := hit{tool: t}
		if scores != nil {
			h.score = scores[i] + exactScore*named[i]
		}
		if h.score > 0 || all {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.tool.Name, b.tool.Name))
	})
	out := make([]*Tool, len(hits))
	for i, h := range hits {
		out[i] = h.tool
	}
	return out
}

// exactScore puts a tool whose very name was asked for before all others.
const exactScore = 1000

// Of reports whether a server's name, or its identifier, is the tool's. Empty is
// any server's.
func (t *Tool) Of(server string) bool {
	return server == "" || server == t.Server || server == t.ServerIdent()
}

// holds reports whether a part is in one of the tool's names.
func (t *Tool) holds(part string) bool {
	return part == "" || strings.Contains(strings.ToLower(t.PublicName()), part) || strings.Contains(strings.ToLower(t.Path()), part)
}

// namesIn are what of a query may be a tool's very name: the whole of it, and each
// word that is written as names are and prose is not.
func namesIn(text string) map[string]float64 {
	out := map[string]float64{}
	if text == "" {
		return out
	}
	for _, w := range strings.Fields(text) {
		w = strings.Trim(w, "`'\"()[].,;:?!")
		if strings.ContainsAny(w, "_.-/:") || strings.ToLower(w[:min(len(w), 1)])+w[min(len(w), 1):] != strings.ToLower(w) {
			out[fold(w)] = 1
		}
	}
	out[fold(text)] = 2
	return out
}

// exactly gives the tools whose very name is among some, and how surely.
func (x *index) exactly(names map[string]float64) map[int]float64 {
	out := map[int]float64{}
	for name, surely := range names {
		for _, i := range x.names[name] {
			out[i] = max(out[i], surely)
		}
	}
	return out
}

func (c *Catalog) selected(p policy.Principal, names string) []*Tool {
	var out []*Tool
	asked := 0
	for name := range strings.SplitSeq(names, ",") {
		if asked++; asked > maxSelected {
			break
		}
		if t := c.exact(p, strings.TrimSpace(name)); t != nil && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// index is what a search looks at, made once: a catalog does not change.
type index struct {
	words *textsearch.Index
	names map[string][]int // the tools by each of their names, folded
}

func (c *Catalog) indexed() *index {
	c.indexOnce.Do(func() {
		c.index.names = map[string][]int{}
		texts := make([][]string, len(c.tools))
		for i, t := range c.tools {
			texts[i] = t.texts()
			for _, own := range []string{t.Name, t.PublicName(), t.Path(), t.ToolIdent(), t.Server + "/" + t.Name, t.Server + ":" + t.Name} {
				c.index.names[fold(own)] = append(c.index.names[fold(own)], i)
			}
		}
		c.index.words = textsearch.New(fields, texts)
	})
	return &c.index
}

// texts gives the fields of a tool.
func (t *Tool) texts() []string {
	description := strings.TrimSpace(t.Description[:min(len(t.Description), maxSearched)])
	lead := FirstSentence(description)
	names, values, about := arguments(t.InputSchema)
	return []string{t.Name, t.Title, t.Server, lead, description[len(lead):], names, values, about}
}

// FirstSentence is what a description says first.
func FirstSentence(s string) string {
	for i := range len(s) {
		if s[i] == '\n' {
			return s[:i]
		}
		if ends := s[i] == '.' || s[i] == '!' || s[i] == '?'; ends && i+1 < len(s) && (s[i+1] == ' ' || s[i+1] == '\n') && !abbreviated(s[:i]) {
			return s[:i+1]
		}
	}
	return s
}

// abbreviated reports whether a dot after s ends no sentence: "e.g." and the like.
func abbreviated(s string) bool {
	for _, short := range []string{"e.g", "i.e", "etc", "vs", "incl", "approx"} {
		if len(s) >= len(short) && strings.EqualFold(s[len(s)-len(short):], short) {
			return true
		}
	}
	return false
}

// arguments gives the names of a tool's arguments and of those within them, the
// values that they may have, and what is said of them.
func arguments(schema json.RawMessage) (names, values, about string) {
	if len(schema) > maxSearched {
		return "", "", ""
	}
	var n, e, a strings.Builder
	var walk func(raw json.RawMessage, depth int)
	walk = func(raw json.RawMessage, depth int) {
		var s struct {
			Properties  map[string]json.RawMessage `json:"properties"`
			Items       json.RawMessage            `json:"items"`
			Description any                        `json:"description"`
			Enum        []any                      `json:"enum"`
		}
		if depth > maxArgumentDepth || len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &s) != nil {
			return
		}
		if text, ok := s.Description.(string); ok && depth > 0 {
			a.WriteString(text + "\n")
		}
		for _, v := range s.Enum[:min(len(s.Enum), maxValues)] {
			if text, ok := v.(string); ok {
				e.WriteString(text + "\n")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			n.WriteString(name + "\n")
			walk(s.Properties[name], depth+1)
		}
		walk(s.Items, depth+1)
	}
	walk(schema, 0)
	return n.String(), e.String(), a.String()
}

// maxValues is how many values of one argument are searched.
const maxValues = 50

// maxArgumentDepth is how deep arguments within arguments are searched.
const maxArgumentDepth = 3

// Selects reports whether a query names the tools it wants.
func Selects(text string) bool {
	_, ok := cutFold(strings.TrimSpace(text), "select:")
	return ok
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}
