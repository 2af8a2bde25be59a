package catalog

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"codemode-mcp/internal/policy"
)

// How much a word weighs by where it stands. A word of the name says most.
const (
	weightName        = 10.0
	weightTitle       = 4.0
	weightServer      = 3.0
	weightDescription = 1.0
)

const (
	// maxQuery bounds the text of a search, in bytes.
	maxQuery = 2000
	// maxWords is how many words of one text count.
	maxWords = 500
	// maxSelected is how many names "select:" takes.
	maxSelected = 50
)

// Search finds tools that the principal may call, best first, ties by path.
//
// "select:A,B" gives exactly these names in this order, unknown ones left out,
// whatever the limit. "+part words" keeps tools whose name holds part and ranks
// them by the words. Anything else ranks by its words; an empty query finds nothing.
func (c *Catalog) Search(p policy.Principal, query string, limit int) []*Tool {
	query = strings.TrimSpace(query[:min(len(query), maxQuery)])
	if names, ok := cutFold(query, "select:"); ok {
		return c.selected(p, names)
	}
	part, rest := "", query
	if strings.HasPrefix(query, "+") {
		part, rest, _ = strings.Cut(query[1:], " ")
		part = strings.ToLower(part)
	}
	terms := words(rest)
	if query == "" {
		return nil
	}
	type hit struct {
		tool  *Tool
		score float64
	}
	index := c.indexed()
	var candidates []hit
	in := map[string]int{} // how many of the candidates have a word
	for _, t := range c.Visible(p) {
		if !strings.Contains(strings.ToLower(t.PublicName()), part) {
			continue
		}
		for _, term := range terms {
			if index[t][term] > 0 {
				in[term]++
			}
		}
		candidates = append(candidates, hit{tool: t})
	}
	var hits []hit
	for _, h := range candidates {
		for _, term := range terms {
			if w := index[h.tool][term]; w > 0 { // rare words say more
				h.score += w * math.Log(1+float64(len(candidates))/float64(in[term]))
			}
		}
		if fold(rest) == fold(h.tool.Name) {
			h.score += 1000 // the very name
		}
		if h.score > 0 || len(terms) == 0 && strings.HasPrefix(query, "+") {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	var out []*Tool
	for _, h := range hits[:min(len(hits), max(limit, 0))] {
		out = append(out, h.tool)
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

// indexed gives the words of every tool, made once: a catalog does not change.
func (c *Catalog) indexed() map[*Tool]map[string]float64 {
	c.indexOnce.Do(func() {
		c.index = make(map[*Tool]map[string]float64, len(c.tools))
		for _, t := range c.tools {
			c.index[t] = weigh(t)
		}
	})
	return c.index
}

func weigh(t *Tool) map[string]float64 {
	weights := map[string]float64{}
	for _, field := range []struct {
		text   string
		weight float64
	}{{t.Name, weightName}, {t.Title, weightTitle}, {t.Server, weightServer}, {t.Description, weightDescription}} {
		for _, w := range words(field.text) {
			weights[w] = max(weights[w], field.weight)
		}
	}
	return weights
}

// fillers are words that say nothing about a tool.
var fillers = []string{"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "th", "the", "to", "with"}

// words splits camelCase, snake_case and prose into stems.
func words(s string) []string {
	var out []string
	var b strings.Builder
	seen := map[string]bool{}
	flush := func() {
		if b.Len() > 0 {
			if w := stem(strings.ToLower(b.String())); !seen[w] && len(out) < maxWords && !slices.Contains(fillers, w) {
				seen[w] = true
				out = append(out, w)
			}
			b.Reset()
		}
	}
	lower := false
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.IsUpper(r) && lower {
			flush()
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
		lower = unicode.IsLower(r)
	}
	flush()
	return out
}

// stem takes the commonest English endings off, so that "files" finds "file" and
// "creating" finds "create".
func stem(w string) string {
	for _, end := range []string{"ing", "ies", "es", "ed", "s", "e"} {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			w = w[:len(w)-len(end)]
			if end == "ies" {
				w += "y"
			}
			return w
		}
	}
	return w
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}
