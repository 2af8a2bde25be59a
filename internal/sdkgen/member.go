package sdkgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"codemode-mcp/internal/catalog"
)

// memberDecl is one tool's entry in its server's Tools, and the types it needs.
type memberDecl struct {
	doc   []string
	typ   string
	decls []*decl
	// extra is the declaration of an observed result.
	extra string
}

// unread is the entry of a tool whose schemas are not looked at.
func unread(t *catalog.Tool) memberDecl {
	why := comment(fmt.Sprintf("not typed: the file has reached %d bytes", maxFileBytes))
	return memberDecl{doc: nil, typ: "OptionalTool<{ [key: string]: unknown }, unknown> " + why}
}

// declare makes a tool's entry. names gives out the names of its namespace.
func declare(t *catalog.Tool, opts *Options, names *namer) memberDecl {
	prefix := typePrefix(t.Name)
	m := memberDecl{doc: toolDoc(t)}
	pick := func(want string) string { return names.pick(prefix + want) }

	args, root := input(t, pick)
	kind := "OptionalTool"
	if args.needed(root) {
		kind = "Tool"
	}
	m.decls = append(m.decls, args.decls...)
	result := "unknown"
	switch {
	case given(t.OutputSchema):
		out := output(t, pick)
		result = out[0].name
		m.decls = append(m.decls, out...)
	case opts.Observed != nil:
		if ts, ok := opts.Observed(t); ok {
			result = pick("Result")
			m.extra = step + "/** Observed in earlier results; others may differ. */\n" +
				step + "type " + result + " = " + strings.ReplaceAll(strings.TrimSpace(ts), "\n", "\n"+step) + ";\n"
		}
	}
	m.typ = kind + "<" + m.decls[0].name + ", " + result + ">"
	return m
}

// arguments is the type of a tool's arguments.
type arguments struct {
	decls []*decl
	doc   *document
	// known holds the answers of demands, false while one is being found.
	known map[*node]bool
}

// input converts a tool's input schema. Arguments are always an object.
func input(t *catalog.Tool, pick func(string) string) (arguments, *node) {
	name := pick("Args")
	if !given(t.InputSchema) {
		return arguments{decls: []*decl{{name: name, typ: record(unknown(""))}}}, nil
	}
	c, err := convert(t.InputSchema, name, kindObject, pick)
	if err != nil {
		open := record(unknown(""))
		open.why = "the input schema can't be read: " + err.Error()
		return arguments{decls: []*decl{{name: name, typ: open}}}, nil
	}
	return arguments{c.order, c.doc, map[*node]bool{}}, c.doc.root
}

// output converts a tool's output schema.
func output(t *catalog.Tool, pick func(string) string) []*decl {
	name := pick("Result")
	c, err := convert(t.OutputSchema, name, kindAny, pick)
	if err != nil {
		return []*decl{{name: name, typ: unknown("the output schema can't be read: " + err.Error())}}
	}
	return c.order
}

// given reports whether there is a schema at all.
func given(schema json.RawMessage) bool {
	s := strings.TrimSpace(string(schema))
	return s != "" && s != "null"
}

// needed reports whether a call without arguments is sure to be refused.
func (a arguments) needed(root *node) bool {
	return root != nil && a.demands(root)
}

// demands reports whether a schema refuses an empty object for the lack of a
// property. Each schema is looked at once.
func (a arguments) demands(n *node) bool {
	if known, ok := a.known[n]; ok || n.form != formObject {
		return known
	}
	a.known[n] = false
	a.known[n] = a.look(n)
	return a.known[n]
}

func (a arguments) look(n *node) bool {
	if at, ok := a.doc.sites[n]; ok && at.target != nil {
		if a.demands(at.target) {
			return true
		}
		if a.doc.legacy {
			return false
		}
	}
	if len(requiredNames(n)) > 0 {
		return true
	}
	if least, _ := count(n, "minProperties"); least > 0 {
		return true
	}
	if slices.ContainsFunc(n.list("allOf"), a.demands) {
		return true
	}
	for _, kw := range [...]string{"anyOf", "oneOf"} {
		list := n.list(kw)
		if len(list) > 0 && !slices.ContainsFunc(list, func(s *node) bool { return !a.demands(s) }) {
			return true
		}
	}
	return false
}
