package discover

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/policy"
)

// shop is a catalog of servers with so many tools each.
func shop(t *testing.T, sizes map[string]int) View {
	t.Helper()
	var tools []catalog.Tool
	for server, n := range sizes {
		for i := range n {
			tools = append(tools, catalog.Tool{Server: server, Name: fmt.Sprintf("list_things_%03d", i), Description: "Lists things. And more.",
				InputSchema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"page":{"type":"integer"}},"required":["id"]}`)})
		}
	}
	c, err := catalog.New(tools)
	if err != nil {
		t.Fatal(err)
	}
	return View{Catalog: c, Principal: policy.Principal{Role: policy.Admin}}
}

var facts = Facts{Limits: limits.Limits{TimeoutSeconds: 300, MaxToolCalls: 500, MaxMemoryMB: 512, MaxResultChars: 1000000},
	Scripts: true, Hidden: true, Starting: true, Hint: strings.Repeat("a hint ", 20)}

// The texts keep their bound whatever there is, say how many tools every server
// has, and whether the signatures are all.
func TestTexts(t *testing.T) {
	many := map[string]int{}
	for i := range 300 {
		many[fmt.Sprintf("server-with-a-rather-long-name-%03d", i)] = 10
	}
	for _, tt := range []struct {
		sizes map[string]int
		want  []string
	}{
		{map[string]int{}, nil},
		{map[string]int{"one": 2}, []string{"one (2)", "(complete: all 2)", "one.list_things_001({ id: string; page?: number })"}},
		{map[string]int{"a": 500, "b": 1, "c": 40}, []string{"a (500), b (1), c (40)", "of 541;", "a.list_things_000(", "b.list_things_000(", "c.list_things_000("}},
		{many, []string{" more servers", "of 3000;"}},
	} {
		v := shop(t, tt.sizes)
		for kind, text := range map[string]string{"description": v.Description(facts), "instructions": v.Instructions(facts)} {
			if n := utf8.RuneCountInString(text); n >= 2048 {
				t.Errorf("%v: the %s has %d characters", tt.sizes, kind, n)
			}
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("%v: the %s lacks %q:\n%s", len(tt.sizes), kind, want, text)
				}
			}
		}
		if a, b := v.Description(facts), shop(t, tt.sizes).Description(facts); a != b {
			t.Errorf("two descriptions of the same tools differ:\n%s\n%s", a, b)
		}
	}
}

// Every server has as many signatures as any other, as far as it has tools.
func TestFairShare(t *testing.T) {
	text := shop(t, map[string]int{"a": 500, "b": 500, "c": 500}).Description(facts)
	for _, server := range []string{"b", "c"} {
		if a, n := strings.Count(text, "\na."), strings.Count(text, "\n"+server+"."); n < a-1 || n > a || n < 3 {
			t.Errorf("%d of a and %d of %s", a, n, server)
		}
	}
}

// A text that can't show all signatures shows those that are needed most, names the
// other tools, and none twice.
func TestPartialShare(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"one":{"type":"string"},"two":{"type":"integer"}},"required":["path"]}`)
	out := json.RawMessage(`{"type":"object","properties":{"matches":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"}},"required":["path","line"]}}},"required":["matches"]}`)
	var tools []catalog.Tool
	names := map[string][]string{
		catalog.Workspace: {"create_directory", "delete_file", "edit_file", "file_info", "glob", "grep", "list_directory", "move_file", "read_file", "write_file"},
		"tracker":         {"zoom-in", "get_issue", "add_comment", "close_issue", "delete_issue", "assign", "label", "lock"},
	}
	for server, list := range names {
		for _, name := range list {
			tools = append(tools, catalog.Tool{Server: server, Name: name, InputSchema: schema, OutputSchema: out})
		}
	}
	c, err := catalog.New(tools)
	if err != nil {
		t.Fatal(err)
	}
	text := View{Catalog: c, Principal: policy.Principal{Role: policy.Admin}}.Description(facts)
	_, text, _ = strings.Cut(text, "Signatures (partial: ")
	signed, also, found := strings.Cut(text, "\nAlso: ")
	if !found || len(text) > signatureRoom {
		t.Fatalf("%d bytes: %s", len(text), text)
	}
	for _, want := range []string{"\nworkspace.read_file(", "\nworkspace.grep(", "\ntracker.zoom_in(", "matches: { path: string; line: number }[]"} {
		if !strings.Contains(signed, want) {
			t.Errorf("no %q in\n%s", want, signed)
		}
	}
	for _, tool := range tools {
		n := strings.Count(signed, "."+tool.ToolIdent()+"(")
		for part := range strings.FieldsFuncSeq(also, func(r rune) bool { return strings.ContainsRune(" ,;.", r) }) {
			if part == tool.ToolIdent() {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s is there %d times:\n%s", tool.Name, n, text)
		}
	}
}

func TestSearchPages(t *testing.T) {
	v := shop(t, map[string]int{"a": 30, "b": 1})
	seen := map[string]bool{}
	ask := Ask{Query: "things", Server: "a", Detail: Names, Limit: 8}
	for pages := 1; ; pages++ {
		text, err := v.Search(ask)
		if err != nil {
			t.Fatal(err)
		}
		head, names, _ := strings.Cut(text, "\n")
		for name := range strings.SplitSeq(names, "\n") {
			if seen[name] || !strings.HasPrefix(name, "a.list_things_") {
				t.Errorf("page %d has %q", pages, name)
			}
			seen[name] = true
		}
		_, cursor, more := strings.Cut(head, `cursor "`)
		if !more {
			if pages != 4 || len(seen) != 30 {
				t.Errorf("%d pages with %d tools", pages, len(seen))
			}
			break
		}
		ask.Cursor = strings.TrimSuffix(cursor, `"`)
	}
	for _, bad := range []Ask{
		{Query: "things", Server: "b", Cursor: ask.Cursor}, {Query: "other", Server: "a", Cursor: ask.Cursor},
		{Query: "things", Cursor: "x"}, {Query: "x", Server: "aa"}, {Query: "x", Detail: "all"},
	} {
		if text, err := v.Search(bad); err == nil {
			t.Errorf("%v is answered: %s", bad, text)
		}
	}
}

func TestSearchDetails(t *testing.T) {
	v := shop(t, map[string]int{"a": 3})
	v.Learned = func(*catalog.Tool) string { return "{ n: number }" }
	for ask, wants := range map[Ask][]string{
		{Query: "select:a.list_things_002,none,a.list_things_000", Limit: 1, Detail: Names}: {"2 of 2 tools\na.list_things_002\na.list_things_000"},
		{Query: "list things 001", Limit: 1}:                                                {"1 of 3 tools", `tools.a.list_things_001(args: { id: string; page?: number }): Promise<{ n: number }>`, "Lists things."},
		{Server: "a", Detail: Full}:                                                         {"3 of 3 tools", "declare namespace CodeMode.a {", "list_things_000: Tool<", "Observed", "= { n: number };"},
		{Detail: Full}:                                                                      {"Servers: a (3 tools)", "declare function parallelMap"},
		{}:                                                                                  {"Servers: a (3 tools)"},
		{Query: "zebra"}:                                                                    {`No tool matches "zebra"`, "Servers: a (3 tools)"},
	} {
		text, err := v.Search(ask)
		for _, want := range wants {
			if err != nil || !strings.Contains(text, want) {
				t.Errorf("%v: want %q, got %v\n%s", ask, want, err, text)
			}
		}
	}
}

// Who may not call a tool does not hear of it, by no way.
func TestViewIsThePrincipals(t *testing.T) {
	c, err := catalog.New([]catalog.Tool{{Server: "a", Name: "read"}, {Server: "secret", Name: "destroy_all", Role: policy.Admin}})
	if err != nil {
		t.Fatal(err)
	}
	v := View{Catalog: c, Principal: policy.Principal{Role: policy.Viewer}}
	texts := []string{v.Description(facts), v.Instructions(facts), v.Declarations(), v.ServerDeclarations("secret"),
		strings.Join(v.Nearest("destroy_al"), ""), strings.Join(v.Servers(), "")}
	for _, a := range []Ask{{Query: "destroy"}, {Query: "select:secret.destroy_all"}, {Query: "+destroy"}, {}, {Server: "secret"}} {
		text, err := v.Search(a)
		texts = append(texts, strings.ReplaceAll(text, fmt.Sprintf("%q", a.Query), "")) // what was asked is no secret
		if err != nil && a.Server == "" {
			t.Error(err)
		}
	}
	prompt, err := v.Prompt("destroy all", nil, facts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range append(texts, strings.ReplaceAll(prompt, "Task: destroy all", "")) {
		if strings.Contains(text, "destroy_all") || strings.Contains(text, "secret") {
			t.Errorf("text %d: %s", i, text)
		}
	}
}

func TestExposure(t *testing.T) {
	tool := &catalog.Tool{Server: "github", Name: "list_issues"}
	builtin := &catalog.Tool{Server: catalog.Workspace, Name: "grep"}
	for _, tt := range []struct {
		mode       string
		tools      int
		resident   string
		code, many bool // the code tools are listed, the tool is
	}{
		{Auto, 16, "", true, true},
		{Auto, 17, "", true, false},
		{Auto, 17, "github__list_*", true, true},
		{Auto, 17, "github.*", true, true},
		{Auto, 17, "gitlab.*", true, false},
		{Auto, 17, "grep", true, false},
		{Code, 1, "github.*", true, false},
		{Both, 1000, "", true, true},
		{Plain, 1000, "", false, true},
	} {
		e := Exposure{Mode: tt.mode, Resident: []string{tt.resident}}.Settle(tt.tools)
		if e.CodeTools() != tt.code || e.Lists(tool) != tt.many {
			t.Errorf("%v lists code tools: %v, the tool: %v", tt, e.CodeTools(), e.Lists(tool))
		}
	}
	if !(Exposure{Mode: Auto, Resident: []string{"gr?p"}}).Lists(builtin) {
		t.Error("a built-in tool is not resident by its bare name")
	}
}
