// Package discover is what a model is told about tools: the answers of a search,
// the nearest tools to a name that means none, and the texts that fill a client's
// list.
//
// It owns their wording and how much room they take. It decides nothing about who
// may call what: it shows a principal what the catalog shows it. It must not
// import the MCP SDK, the engine, or any package above dispatch.
package discover

import (
	"fmt"
	"hash/fnv"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/sdkgen"
)

// View is what one principal sees of a catalog.
type View struct {
	Catalog   *catalog.Catalog
	Principal policy.Principal
	// Learned gives the type of a tool's result as this session has observed it, or
	// nothing. Nil: nothing was observed.
	Learned func(*catalog.Tool) string
}

const (
	// maxSignature and maxSentence bound a tool in an answer, in bytes.
	maxSignature = 300
	maxSentence  = 200
)

// Signature is a tool's call as a script writes it.
func (v View) Signature(t *catalog.Tool) string { return v.signature(t, maxSignature) }

func (v View) signature(t *catalog.Tool, limit int) string {
	path := v.ScriptPath(t)
	return path + afterName(sdkgen.SignatureWith(t, max(limit-len(path)+len(t.Name), 40), v.learned(t)))
}

// ScriptPath is the path by which a script surely reaches a tool.
func (v View) ScriptPath(t *catalog.Tool) string {
	if t.Server == catalog.Workspace && t.ToolIdent() == t.Name && v.Catalog.Single(t) {
		return "tools." + t.Name
	}
	return "tools." + t.ServerIdent() + "." + t.ToolIdent()
}

// afterName is what follows the name in a signature.
func afterName(signature string) string {
	start := 0
	if strings.HasPrefix(signature, "[") { // a quoted name may have parentheses
		start = max(strings.Index(signature, `"](`), strings.Index(signature, `"]…`), 0)
	}
	if i := strings.IndexByte(signature[start:], '('); i >= 0 {
		return signature[start+i:]
	}
	return "(…)"
}

func (v View) learned(t *catalog.Tool) string {
	if v.Learned == nil || len(t.OutputSchema) > 0 {
		return ""
	}
	return v.Learned(t)
}

// Sentence is what a tool does, in short.
func Sentence(t *catalog.Tool) string {
	s := catalog.FirstSentence(strings.TrimSpace(t.Description))
	if s == "" {
		s = t.Title
	}
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxSentence {
		s = strings.ToValidUTF8(s[:maxSentence], "") + "..."
	}
	return s
}

// options are those of declarations that a view gives.
func (v View) options() *sdkgen.Options {
	return &sdkgen.Options{Observed: func(t *catalog.Tool) (string, bool) {
		ts := v.learned(t)
		return ts, ts != ""
	}}
}

// Declaration is the TypeScript of one tool.
func (v View) Declaration(t *catalog.Tool) string { return sdkgen.Declaration(t, v.options()) }

// Declarations is the TypeScript of all tools, and of what else a script sees.
func (v View) Declarations() string {
	return sdkgen.Declarations(v.Catalog.Visible(v.Principal), v.options())
}

// ServerDeclarations is the TypeScript of one server's tools. It is empty when the
// principal may call none there.
func (v View) ServerDeclarations(server string) string {
	var own []*catalog.Tool
	for _, t := range v.Catalog.Visible(v.Principal) {
		if t.Of(server) {
			own = append(own, t)
		}
	}
	if len(own) == 0 {
		return ""
	}
	opts := v.options()
	opts.Flat = v.Catalog.Single
	return sdkgen.Declarations(own, opts)
}

// LearnedMark tells views of one catalog and role apart by the types that their sessions
// have learned. It is 0 where nothing was.
func (v View) LearnedMark() uint64 {
	if v.Learned == nil {
		return 0
	}
	h, any := fnv.New64a(), false
	for _, t := range v.Catalog.Visible(v.Principal) {
		if ts := v.learned(t); ts != "" {
			any = true
			fmt.Fprintf(h, "%s\x00%s\x00", t.Path(), ts)
		}
	}
	if !any {
		return 0
	}
	return h.Sum64()
}

// Servers lists the servers in which the principal may call something, by their
// identifiers.
func (v View) Servers() []string {
	var out []string
	for _, g := range v.groups() {
		out = append(out, g.name)
	}
	return out
}

// group is the tools of one server.
type group struct {
	name  string
	tools []*catalog.Tool
}

// groups are the servers, the workspace first, then by name.
func (v View) groups() []group {
	var out []group
	for _, t := range v.Catalog.Visible(v.Principal) {
		if len(out) == 0 || out[len(out)-1].name != t.ServerIdent() {
			out = append(out, group{name: t.ServerIdent()})
		}
		g := &out[len(out)-1]
		g.tools = append(g.tools, t)
	}
	for i, g := range out {
		if g.tools[0].Server == catalog.Workspace {
			copy(out[1:i+1], out[:i])
			out[0] = g
		}
	}
	return out
}
