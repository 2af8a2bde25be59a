package discover

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/sdkgen"
)

// The details of an answer.
const (
	Names      = "names"
	Signatures = "signatures"
	Full       = "full"
)

// Details lists the details, the default one first.
var Details = []string{Signatures, Names, Full}

const (
	// DefaultHits and MaxHits are how many tools a search gives.
	DefaultHits = 5
	MaxHits     = 25
	// MaxPage is how many tools one page of search_tools has.
	MaxPage = 100
	// maxAnswer is how long a page may get, in bytes: then the rest comes with the
	// next. One tool is always there.
	maxAnswer = 24_000
)

// legend explains what declarations refer to.
const legend = "// Tool<A, R>: await tools.<server>.<name>(args: A) gives R; of an OptionalTool args may be left out."

// Ask is a question about tools.
type Ask struct {
	Query  string
	Server string
	// Detail is one of Details; empty is the default one.
	Detail string
	// Limit is how many tools a page has. Zero is DefaultHits.
	Limit int
	// Cursor is the next page of an earlier answer.
	Cursor string
}

// AskError says what of a question is wrong.
type AskError struct{ Message string }

// Error gives the message.
func (e *AskError) Error() string { return e.Message }

// Search answers as text for a model.
func (v View) Search(a Ask) (string, error) {
	if err := v.check(&a); err != nil {
		return "", err
	}
	if strings.TrimSpace(a.Query) == "" && a.Server == "" {
		if a.Detail == Full {
			return v.overview() + "\nWhat a script sees besides the tools:\n" + sdkgen.DefaultSurface, nil
		}
		return v.overview(), nil
	}
	found := v.Catalog.Search(v.Principal, catalog.Query{Text: a.Query, Server: a.Server})
	from, err := v.open(a)
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return v.nothing(a), nil
	}
	var page strings.Builder
	next := min(from, len(found))
	if catalog.Selects(a.Query) { // whoever names tools wants them all
		a.Limit = len(found)
	}
	for next < min(from+a.Limit, len(found)) {
		text := v.entry(found[next], a.Detail)
		if next > from && page.Len()+len(text) > maxAnswer {
			break
		}
		page.WriteString(text)
		next++
	}
	head := fmt.Sprintf("%d of %d tools", next-from, len(found))
	if from > 0 {
		head = fmt.Sprintf("%d to %d of %d tools", from+1, next, len(found))
	}
	if next < len(found) {
		head += fmt.Sprintf("; the next page: cursor %q", v.cursor(a, next))
	}
	if a.Detail == Full {
		head += "\n" + legend
	}
	return head + "\n" + strings.TrimRight(page.String(), "\n"), nil
}

// Hits are the tools that a query finds, at most limit unless it names them.
func (v View) Hits(query string, limit int) []*catalog.Tool {
	found := v.Catalog.Search(v.Principal, catalog.Query{Text: query})
	if catalog.Selects(query) {
		return found
	}
	return found[:min(len(found), limit)]
}

// entry is one tool in an answer.
func (v View) entry(t *catalog.Tool, detail string) string {
	switch detail {
	case Names:
		return printable(t.Path()) + "\n"
	case Full:
		return v.Declaration(t)
	}
	text := v.Signature(t)
	if s := Sentence(t); s != "" {
		text += "\n  " + s
	}
	if a := t.Annotations; a.Destructive != nil && *a.Destructive && !a.ReadOnly {
		text += " (destructive)"
	}
	return text + "\n"
}

// printable keeps a name on its line: it is the words of its owner.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// check fills the defaults in and refuses what is wrong.
func (v View) check(a *Ask) error {
	if a.Detail == "" {
		a.Detail = Details[0]
	}
	switch a.Detail {
	case Names, Signatures, Full:
	default:
		return &AskError{fmt.Sprintf("detail must be one of %s, got %.60q", strings.Join(Details, ", "), a.Detail)}
	}
	if a.Limit == 0 {
		a.Limit = DefaultHits
		if a.Detail == Names || strings.TrimSpace(a.Query) == "" {
			a.Limit = MaxHits
		}
	}
	a.Limit = max(1, min(a.Limit, MaxPage))
	if a.Server == "" {
		return nil
	}
	servers := v.Catalog.Servers(v.Principal)
	for _, s := range append(servers, v.Servers()...) {
		if s == a.Server {
			return nil
		}
	}
	msg := fmt.Sprintf("no server is named %.100q", a.Server)
	if near := catalog.Nearest(a.Server, servers); len(near) > 0 {
		return &AskError{fmt.Sprintf("%s: did you mean %q?", msg, near[0])}
	}
	return &AskError{msg + "; there are: " + some(servers, maxListed)}
}

// maxListed is how many names a message lists.
const maxListed = 30

func some(names []string, limit int) string {
	if len(names) == 0 {
		return "none"
	}
	if more := len(names) - limit; more > 0 {
		return strings.Join(names[:limit], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// nothing says how to find something after all.
func (v View) nothing(a Ask) string {
	text := fmt.Sprintf("No tool matches %.200q", a.Query)
	if a.Server != "" {
		text += " on the server " + a.Server
	}
	return text + ". Try other words, or an empty query with a server for all of its tools.\n" + v.overview()
}

// overview says which servers there are.
func (v View) overview() string {
	var parts []string
	for _, g := range v.groups() {
		parts = append(parts, fmt.Sprintf("%s (%s)", g.name, tools(len(g.tools))))
	}
	return "Servers: " + some(parts, 100)
}

func tools(n int) string {
	if n == 1 {
		return "1 tool"
	}
	return strconv.Itoa(n) + " tools"
}

// cursor names a page of an answer. It holds only for the same question over the
// same catalog: the tools after a page would be others.
func (v View) cursor(a Ask, from int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%x", from, v.mark(a)))
}

func (v View) mark(a Ask) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%d", v.Catalog.Version(), a.Query, a.Server, v.Principal.Role)
	return h.Sum32()
}

// open reads the cursor of a question.
func (v View) open(a Ask) (from int, err error) {
	if a.Cursor == "" {
		return 0, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(a.Cursor)
	n, mark, ok := strings.Cut(string(text), ".")
	from, bad := strconv.Atoi(n)
	if err != nil || !ok || bad != nil || from < 0 || mark != strconv.FormatUint(uint64(v.mark(a)), 16) {
		return 0, &AskError{"the cursor is not one of this question, or the tools have changed since: ask again without it"}
	}
	return from, nil
}
