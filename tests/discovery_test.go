package tests

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// replays are the recorded servers, by name.
func replays(t *testing.T, names ...string) upstreams {
	t.Helper()
	out := upstreams{}
	for _, name := range names {
		path, err := filepath.Abs("testdata/catalogs/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		out[name] = "replay=" + path
	}
	return out
}

// startReplay starts the program with servers, and waits until each is there.
func startReplay(t *testing.T, servers upstreams, expose string, args ...string) *client {
	t.Helper()
	c := startWith(t, servers, append(args, "--expose", expose)...)
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		c.run(fmt.Sprintf(`await tools[%q].no_such_tool()`, name))
	}
	return c
}

func (c *client) instructions() string {
	var hello struct{ Instructions string }
	if err := json.Unmarshal(c.hello, &hello); err != nil {
		c.t.Fatal(err)
	}
	return hello.Instructions
}

// textOf is the text of a tool's answer.
func textOf(t *testing.T, m message) string {
	t.Helper()
	var res struct{ Content []struct{ Text string } }
	if m.Error != nil || json.Unmarshal(m.Result, &res) != nil || len(res.Content) == 0 {
		t.Fatalf("got %v %s", m.Error, m.Result)
	}
	return res.Content[0].Text
}

// contentsOf is the text of a resource.
func contentsOf(t *testing.T, m message) string {
	t.Helper()
	var res struct{ Contents []struct{ Text string } }
	if m.Error != nil || json.Unmarshal(m.Result, &res) != nil || len(res.Contents) == 0 {
		t.Fatalf("got %v %s", m.Error, m.Result)
	}
	return res.Contents[0].Text
}

func (c *client) search(args string) string {
	c.t.Helper()
	return textOf(c.t, c.request("tools/call", `{"name":"search_tools","arguments":`+args+`}`))
}

// What is listed is chosen; what is hidden is callable all the same.
func TestExpose(t *testing.T) {
	servers := replays(t, "memory", "filesystem") // 9 and 14
	few := replays(t, "memory")
	code := []string{"execute_script", "search_tools"}
	for _, tt := range []struct {
		servers  upstreams
		expose   string
		resident string
		want     int // tools beside the code tools; -1: not even those
		without  bool
	}{
		{few, "auto", "", 9, false},
		{servers, "auto", "", 0, false},
		{servers, "auto", "memory__*_nodes, filesystem.read_*", 6, false},
		{servers, "code", "memory__*", 0, false},
		{servers, "both", "", 23, false},
		{servers, "tools", "", 23, true},
	} {
		t.Setenv("CODE_MODE_RESIDENT_TOOLS", tt.resident)
		t.Setenv("CODE_MODE_EXPOSE", "both") // the flag comes first
		c := startReplay(t, tt.servers, tt.expose)
		listed := c.tools()
		hasCode := slices.Contains(listed, code[0]) && slices.Contains(listed, code[1])
		n := len(listed)
		if hasCode {
			n -= 2
		}
		if n != tt.want || hasCode == tt.without {
			t.Errorf("%s with %q lists %v", tt.expose, tt.resident, listed)
		}
		m := c.request("tools/call", `{"name":"memory__read_graph","arguments":{}}`)
		if m.Error != nil {
			t.Errorf("%s: a hidden tool is not called directly: %v", tt.expose, m.Error)
		}
		c.mustRun(`return typeof await tools.memory.read_graph.raw({})`, `"object"`)
		if got := c.search(`{"query":"select:memory.read_graph","detail":"names"}`); !strings.HasSuffix(got, "memory.read_graph") {
			t.Errorf("%s: search_tools answers %s", tt.expose, got)
		}
		c.close()
	}
}

// However many tools there are, what a client lists stays small.
func TestManyToolsFewTokens(t *testing.T) {
	files, err := filepath.Glob("testdata/catalogs/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d catalogs: %v", len(files), err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	c := startReplay(t, replays(t, names...), "code")
	list := c.request("tools/list", "{}").Result
	// make tokens counts real tokens: 1,000 are about 4,000 bytes of this text.
	if len(list) > 4400 {
		t.Errorf("the list has %d bytes: %s", len(list), list)
	}
	for _, d := range c.definitions() {
		if len(d.Description) >= 2048 {
			t.Errorf("%s: the description has %d bytes", d.Name, len(d.Description))
		}
	}
	again := c.request("tools/list", "{}").Result
	if string(again) != string(list) {
		t.Error("two lists differ")
	}
	if text := c.search(`{"query":"create pull request"}`); !strings.Contains(text, "tools.github.create_pull_request(args: { ") {
		t.Errorf("search_tools answers %s", text)
	}
	// The whole file of a server comes page by page, and what is in it is what the
	// resource has.
	var pages strings.Builder
	for cursor, n := "", 0; ; n++ {
		text := c.search(`{"server":"github","detail":"full","cursor":` + quote(cursor) + `}`)
		head, body, _ := strings.Cut(text, "\n")
		pages.WriteString(body)
		_, after, more := strings.Cut(head, `cursor "`)
		if cursor = strings.TrimSuffix(after, `"`); !more || n > 100 {
			break
		}
	}
	sdk := contentsOf(t, c.request("resources/read", `{"uri":"codemode://code-mode/sdk/github.d.ts"}`))
	for _, want := range []string{"create_pull_request: Tool<CreatePullRequestArgs", "list_tags: Tool<ListTagsArgs"} {
		if !strings.Contains(pages.String(), want) || !strings.Contains(sdk, want) {
			t.Errorf("%q is not in the pages or not in the resource", want)
		}
	}
	if strings.Contains(sdk, "namespace CodeMode.notion") {
		t.Error("the declarations of one server have those of another")
	}
	for _, uri := range []string{"codemode://code-mode/sdk/none.d.ts", "codemode://code-mode/sdk/github", "codemode://code-mode/sdk/..%2fx.d.ts"} {
		if m := c.request("resources/read", `{"uri":`+quote(uri)+`}`); m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("%s gives %v %s", uri, m.Error, m.Result)
		}
	}
	completed := c.request("completion/complete", `{"ref":{"type":"ref/resource","uri":"codemode://code-mode/sdk/{server}.d.ts"},"argument":{"name":"server","value":"g"}}`)
	if !strings.Contains(string(completed.Result), `"values":["github","gopls","grafana_all"]`) {
		t.Errorf("completed %s %v", completed.Result, completed.Error)
	}
}

// The types of results are learned where there is no output schema: their form,
// never what is in them.
func TestLearnedTypes(t *testing.T) {
	c := startWith(t, upstreams{"one": "calls"})
	types := func() string {
		return contentsOf(t, c.request("resources/read", `{"uri":"codemode://code-mode/sdk/one.d.ts"}`))
	}
	c.mustRun(`return typeof (await tools.one.echo({n: 1}))`, `"object"`)
	first := types()
	if !strings.Contains(first, "type EchoResult = {\n") && !strings.Contains(first, "type EchoResult = { args: { n: number } };") {
		t.Errorf("not learned: %s", first)
	}
	c.mustRun(`return (await tools.one.echo({n: 2})).args.n`, `2`)
	if types() != first {
		t.Error("the declarations changed although the form did not")
	}
	c.request("tools/call", `{"name":"one__echo","arguments":{"n":3,"secret key of mine":"hunter2"}}`)
	second := types()
	if !strings.Contains(second, "Record<string, string | number>") || strings.Contains(second, "secret key") || strings.Contains(second, "hunter2") {
		t.Errorf("a direct call is not learned well: %s", second)
	}
	if text := c.search(`{"query":"select:one.echo"}`); !strings.Contains(text, "Promise<{ args: Record<string, string | number> }>") {
		t.Errorf("search_tools shows %s", text)
	}
	c.mustRun(`return (await describeTool("one.echo")).includes("Observed")`, "true")
	c.mustRun(`return (await searchTools("select:one.echo"))[0].signature.includes("Promise<{ args: Record")`, "true")
}

func TestCodeModePrompt(t *testing.T) {
	c := startReplay(t, replays(t, "memory", "github"), "auto")
	get := func(args string) message {
		return c.request("prompts/get", `{"name":"code-mode","arguments":`+args+`}`)
	}
	for _, bad := range []string{`{}`, `{"task":" "}`, `{"task":"x","server":"github"}`, `{"task":"x","servers":"githup"}`} {
		if m := get(bad); m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("%s gives %v", bad, m.Error)
		}
	}
	if m := get(`{"task":"x","servers":"githup"}`); m.Error == nil || !strings.Contains(m.Error.Message, `did you mean "github"?`) {
		t.Errorf("got %v", m.Error)
	}
	text := string(get(`{"task":"close all stale issues","servers":"github, memory"}`).Result)
	for _, want := range []string{"await Promise.all", "tools.github.list_issues(", "declare function parallelMap", "Task: close all stale issues"} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
	if only := string(get(`{"task":"close all stale issues","servers":"memory"}`).Result); strings.Contains(only, "tools.github.") {
		t.Error("the prompt shows tools of another server")
	}
}

// A call written wrong learns how it is written right.
func TestFirstTimeRight(t *testing.T) {
	c := startReplay(t, replays(t, "github"), "code")
	for script, wants := range map[string][]string{
		`await tools.github.list_issue({owner: "a", repo: "b"})`:                 {"did you mean github.list_issues", "nearest tools:\n  tools.github.list_issue", "(args: { owner: string; repo: string"},
		`await tools.github.make_issue({})`:                                      {"nearest tools:\n  tools.github.", "issue_write("},
		`await tools.create_a_branch()`:                                          {"tools.github.create_branch("},
		`await tools.github.create_branch({owner: "a", repo: "b"})`:              {`missing "branch" (string)`, "it is called as tools.github.create_branch(args: { "},
		`await tools.github.create_branch({owner: "a", repo: "b", brunch: "c"})`: {`missing "branch" (string)`, `"brunch"`, `did you mean "branch"`},
	} {
		env := c.run(script)
		for _, want := range wants {
			if !strings.Contains(env.Message+env.Hint, want) {
				t.Errorf("%s\nwant %s\n got %s %s", script, want, env.Message, env.Hint)
			}
		}
		if env := c.run("try { " + script + " } catch (e) { return e.message }"); strings.Count(string(env.Result), "tools.github.") > 3 {
			t.Errorf("%s: more than three signatures: %s", script, env.Result)
		}
	}
}

// An argument that means nothing to a tool, and that its schema lets pass, is told.
func TestStrayArgument(t *testing.T) {
	c := startReplay(t, replays(t, "github"), "code")
	env := c.run(`return typeof await tools.github.list_issues.raw({owner: "a", repo: "b", perpage: 3})`)
	if len(env.Warnings) != 1 || !strings.Contains(env.Warnings[0], `github.list_issues does not name the argument "perpage" (did you mean "perPage"`) {
		t.Errorf("warned %q (%s)", env.Warnings, env.Message)
	}
}
