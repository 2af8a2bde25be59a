package tests

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"codemode-mcp/tests/fault"
)

// upstreams are servers by name, each with the fault it plays.
type upstreams map[string]string

// startWith starts the server over upstream servers played by this test binary.
func startWith(t *testing.T, servers upstreams, args ...string) *client {
	t.Helper()
	return startConfig(t, servers.config(t), args...)
}

func (u upstreams) config(t *testing.T) string {
	entries := map[string]any{}
	for name, fault := range u {
		entries[name] = u.entry(fault)
	}
	text, err := json.Marshal(map[string]any{"mcpServers": entries})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (upstreams) entry(name string) map[string]any {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return map[string]any{"command": self, "env": map[string]string{fault.Variable: name}}
}

// startConfig starts the server with a config file.
func startConfig(t *testing.T, config string, args ...string) *client {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.json")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return startClient(t, []string{"CODE_MODE_CACHE_DIR=" + filepath.Join(dir, "cache")},
		append([]string{"serve", "--config", file, "--log-level", "error"}, args...)...)
}

// tools lists the names of the tools a client sees.
func (c *client) tools() []string {
	c.t.Helper()
	var out []string
	for _, t := range c.definitions() {
		out = append(out, t.Name)
	}
	return out
}

type definition struct {
	Name        string
	Description string
	InputSchema json.RawMessage
}

func (c *client) definitions() (all []definition) {
	c.t.Helper()
	cursor := ""
	for {
		var res struct {
			Tools      []definition
			NextCursor string
		}
		if err := json.Unmarshal(c.request("tools/list", `{"cursor":`+quote(cursor)+`}`).Result, &res); err != nil {
			c.t.Fatal(err)
		}
		all = append(all, res.Tools...)
		if cursor = res.NextCursor; cursor == "" {
			return all
		}
	}
}

// mustFail runs a script that must fail with a message.
func (c *client) mustFail(script, want string) {
	c.t.Helper()
	if env := c.run(script); env.Error == "" || !strings.Contains(env.Message+" "+env.Hint, want) {
		c.t.Errorf("%.80s: got %s %s (%s) %s, want %s", script, env.Kind, env.Message, env.Hint, env.Result, want)
	}
}

// Tools of other servers are tools like any other, on both roads.
func TestUpstream(t *testing.T) {
	c := startWith(t, upstreams{"one": "calls", "my-server": "calls", "my_server": "odd"})
	want := []string{"execute_script", "my-server__echo", "my_server____proto__", "my_server__badschema", "my_server__by_id", "my_server__echo",
		"my_server__noschema", "my_server__ordered", "one__echo", "search_tools"}
	if got := c.tools(); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("listed %v", got)
	}
	c.mustRun(`return (await tools.one.echo({do: "x", n: 1})).args`, `{"do":"x","n":1}`)
	c.mustRun(`return [await tools["my-server"].echo(), await tools.my_server.echo({a: 1}), await cc.callTool("one__echo"), await tools.one__echo()].map((r) => r.args)`,
		`[{},{"a":1},{},{}]`)
	c.mustRun(`return [Object.keys(tools.my_server), typeof tools.my_server.__proto__, typeof tools.my_server.toString]`,
		`[["__proto__","badschema","by_id","echo","noschema","ordered"],"function","function"]`)
	c.mustRun(`return (await tools.my_server.__proto__()).args`, `{}`)
	c.mustFail(`return await tools.echo()`, "several servers have a tool named")
	c.mustFail(`return await tools.one.ecko()`, "did you mean one.echo?")
	c.mustRun(`try { await tools.one.echo({do: "error"}) } catch (e) { return [e.name, e.server, e.tool, e.message, e.content] }`,
		`["ToolError","one","one.echo","one.echo: quota exceeded",[{"type":"text","text":"quota exceeded"}]]`)
	c.mustRun(`try { await tools.one.echo({do: "rpc"}) } catch (e) { return [e instanceof Error, e.message, e.code] }`, `[true,"one.echo: boom",-32602]`)
	c.mustRun(`return await tools.one.echo({do: "big"})`, `{"z":"9007199254740993","a":"12345678901234567890"}`)
	c.mustRun(`return [await tools.one.echo({do: "null"}), await tools.one.echo({do: "nothing"})]`, `[null,null]`)
	c.mustRun(`return await tools.one.echo({do: "hologram"})`, `[{"type":"hologram","x":1},{}]`)
	c.mustRun(`return await tools.one.echo.raw({do: "utf8"})`, `{"content":[{"type":"text","text":"a`+"\uFFFD"+`b"}]}`)
	c.mustRun(`const { z } = await tools.one.echo({do: "big"}); return (await tools.my_server.by_id.raw({id: z})).structuredContent`, `{"args":{"id":"9007199254740993"}}`)
	c.mustFail(`return await tools.my_server.by_id({id: "12"})`, "id must be integer, got string")
	if d := c.definitions(); !slices.ContainsFunc(d, func(d definition) bool { return strings.Contains(d.Description, "\nmy_server.by_id(") }) {
		t.Error("the description does not show how by_id is called")
	}
	m := c.request("tools/call", `{"name":"one__echo","arguments":{"do":"big"}}`)
	if !strings.Contains(string(m.Result), `"structuredContent":{"z":9007199254740993,"a":12345678901234567890}`) {
		t.Errorf("a direct call gives %s", m.Result)
	}
	for _, d := range c.definitions() {
		if d.Name == "my_server__ordered" && !strings.Contains(string(d.InputSchema), `"properties":{"z":{"type":"string"},"a":`) {
			t.Errorf("the schema's keys lost their order: %s", d.InputSchema)
		}
	}
}

// Images and the like reach a script as handles: the data stays outside until it
// is emitted or asked for, and .raw still has it.
func TestMedia(t *testing.T) {
	c := startWith(t, upstreams{"one": "calls"})
	c.mustRun(`const r = await tools.one.echo({do: "media"}); return r`,
		`["two",{"type":"image","mimeType":"image/png","bytes":5,"media":"1"},`+
			`{"type":"resource","mimeType":"application/zip","uri":"x://a","bytes":2,"media":"2"},`+
			`{"type":"resource","resource":{"uri":"x://b","text":"plain"}}]`)
	c.mustRun(`const [, image] = await tools.one.echo({do: "media"}); return new TextDecoder().decode(mediaBytes(image))`, `"hello"`)
	c.mustRun(`return (await tools.one.echo.raw({do: "media"})).content[1].data`, `"aGVsbG8="`)
	c.mustFail(`return mediaBytes({media: "1"})`, "no such media in this run")

	m := c.request("tools/call", c.execute(`const [, picture, zip] = await tools.one.echo({do: "media"}); emit(picture); emit(zip); return 1`))
	var res struct {
		Content []json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(m.Result, &res); err != nil || len(res.Content) != 3 {
		t.Fatalf("%v: %s", err, m.Result)
	}
	for i, want := range []string{`"data":"aGVsbG8="`, `"blob":"aGk="`} {
		if !strings.Contains(string(res.Content[i+1]), want) {
			t.Errorf("block %d: %s", i+1, res.Content[i+1])
		}
	}
}

// What a server does wrong costs its own calls, and never those of a neighbour.
func TestUpstreamFaults(t *testing.T) {
	dir := t.TempDir()
	c := startWith(t, upstreams{
		"garbage": "garbage", "mute": "mute", "ignores": "ignores", "dies": "calls=" + filepath.Join(dir, "died"), "stderr": "stderr",
		"calls": "calls", "cursor": "cursor", "list": "list", "exits": "exits", "healthy": "calls",
	})
	healthy := func() {
		t.Helper()
		c.mustRun(`return (await tools.healthy.echo({a: 1})).args.a`, `1`)
	}
	healthy()
	for _, tt := range []struct{ name, script, want string }{
		{"garbage on stdout", `await tools.garbage.echo({}); return 1`, "1"},
		{"hangs on start", `try { await Promise.race([tools.mute.echo({}), tools.healthy.echo({})]) } catch (e) { return e.message } return "healthy was first"`, "healthy was first"},
		{"ignores discovery", `await tools.ignores.echo({}); return 1`, "1"},
		{"floods stderr", `await tools.stderr.echo({}); return 1`, "1"},
		{"dies in a call", `return await tools.dies.echo({do: "die"}).catch((e) => e.message)`, "ended while the call was under way: it ended with exit status 7; it said: panic: out of cheese"},
		{"answers 50 MB", `return await tools.calls.echo({do: "huge"}).catch((e) => e.kind + e.message)`, "too_largecalls.echo: the result has more than"},
		{"repeats a cursor", `await tools.cursor.echo({}); return 1`, "1"},
		{"answers the wrong id", `return await Promise.race([tools.calls.echo({do: "wrongid"}), tools.healthy.echo({do: "twice"})])`, "one"},
		{"invalid UTF-8", `return await tools.calls.echo({do: "utf8"})`, "a\uFFFDb"},
		{"exits on start", `return await tools.exits.echo({}).catch((e) => e.message)`, "it said: cannot find the database"},
	} {
		env := c.run(tt.script)
		var got string
		if json.Unmarshal(env.Result, &got) != nil {
			got = string(env.Result)
		}
		if env.Error != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %s %s %s, want %s", tt.name, env.Kind, env.Message, got, tt.want)
		}
		healthy()
	}

	// A list that changes reaches scripts and clients.
	c.tools()
	c.mustRun(`return await tools.list.echo({do: "add"})`, `"added"`)
	eventually(t, "the new tool is listed", func() bool { return slices.Contains(c.tools(), "list__more") })
	c.mustRun(`return (await tools.list.more({b: 2})).args`, `{"b":2}`)
	eventually(t, "the client is told", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return slices.ContainsFunc(c.notes, func(m message) bool { return m.Method == "notifications/tools/list_changed" })
	})
	eventually(t, "the dead server is back", func() bool {
		return string(c.run(`return await tools.dies.echo({do: "die"}).catch(() => 0)`).Result) == `"alive again"`
	})
	healthy()
}

// A call that takes too long ends by the entry's own timeout, and the server hears
// of it.
func TestUpstreamTimeout(t *testing.T) {
	told := filepath.Join(t.TempDir(), "cancelled")
	entry := upstreams{}.entry("calls=" + told)
	entry["timeoutSeconds"] = 1
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"slow": entry, "healthy": upstreams{}.entry("calls")}})
	if err != nil {
		t.Fatal(err)
	}
	c := startConfig(t, string(text))
	c.mustRun(`const start = Date.now(); const [a, b] = await Promise.all([tools.slow.echo({do: "sleep"}).catch((e) => e), tools.healthy.echo({})]);
		return [a.kind, a.message.includes("no answer within 1s")]`, `["timeout",true]`)
	heard := func() bool { text, _ := os.ReadFile(told); return string(text) == "cancelled" }
	eventually(t, "the server hears of the timeout", heard)
	os.Remove(told)

	// Cancelling the run reaches the server, too.
	id, _ := c.send("tools/call", c.execute(`await tools.slow.echo({do: "sleep"})`))
	eventually(t, "the server has the call", func() bool { text, _ := os.ReadFile(told); return string(text) == "asleep" })
	c.notify("notifications/cancelled", fmt.Sprintf(`{"requestId":%d}`, id))
	eventually(t, "the server hears of the cancelled run", heard)
}

// Our own start never waits for other servers; a script does.
func TestUpstreamStarting(t *testing.T) {
	start := time.Now()
	c := startWith(t, upstreams{"slow": "slow", "mute": "mute"})
	if d := time.Since(start); d > time.Second {
		t.Errorf("initialize took %v", d)
	}
	c.mustRun(`return (await tools.slow.echo({n: 1})).args`, `{"n":1}`)
	if got := c.tools(); !slices.Contains(got, "slow__echo") {
		t.Errorf("listed %v", got)
	}
}

// Progress of an upstream call is passed on.
func TestUpstreamProgress(t *testing.T) {
	c := startWith(t, upstreams{"one": "calls"})
	c.tools()
	c.request("tools/call", `{"name":"one__echo","arguments":{"do":"progress"},"_meta":{"progressToken":"p1"}}`)
	c.request("tools/call", `{"name":"execute_script","arguments":{"script":"return await tools.one.echo({do: 'progress'})"},"_meta":{"progressToken":"p2"}}`)
	c.mu.Lock()
	defer c.mu.Unlock()
	var got []string
	for _, m := range c.notes {
		if m.Method == "notifications/progress" {
			got = append(got, string(m.Params))
		}
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{`"half"`, `"call 1: one.echo: half"`} {
		if !strings.Contains(all, want) {
			t.Errorf("no progress says %s:\n%s", want, all)
		}
	}
}

// The catalogs of real servers load whole: every tool has a name for clients and
// one for scripts, and every schema compiles or is left unchecked by itself.
func TestReplay(t *testing.T) {
	dir := "testdata/catalogs"
	if more := os.Getenv("CODEMODE_TEST_CATALOGS"); more != "" {
		dir = more
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs in %s: %v", dir, err)
	}
	servers, want := upstreams{}, map[string]int{}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var recorded struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(text, &recorded); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		servers[name], want[name] = "replay="+path, len(recorded.Tools)
	}
	c := startWith(t, servers, "--expose", "both")
	for name := range want { // waits for each
		c.run(fmt.Sprintf(`await tools[%q].no_such_tool()`, name))
	}
	for name, n := range want {
		c.mustRun(fmt.Sprintf(`return Object.keys(tools[%q]).length`, name), fmt.Sprint(n))
	}
	listed := map[string]bool{}
	for _, name := range c.tools() {
		listed[name] = true
	}
	for _, d := range c.definitions() {
		if d.Name == "execute_script" && (!strings.Contains(d.Description, "everything (") || len(d.Description) > 2048) {
			t.Errorf("the description has %d bytes: %s", len(d.Description), d.Description)
		}
	}
	total := 0
	for _, n := range slices.Collect(maps.Values(want)) {
		total += n
	}
	if len(listed) != total+2 {
		t.Errorf("%d tools are listed, want %d, execute_script and search_tools", len(listed), total)
	}
	// Every tool is there by its own name, by identifiers and by its public name.
	public, err := json.Marshal(slices.Sorted(maps.Keys(listed)))
	if err != nil {
		t.Fatal(err)
	}
	env := c.run(`const bad = ` + string(public) + `.filter((name) => !(name in tools) && !["execute_script", "search_tools"].includes(name));
		const ident = (s) => s.replace(/[^A-Za-z0-9_$]/g, "_").replace(/^(\d)/, "_$1");
		for (const server of Object.keys(tools)) {
			if (typeof tools[server] !== "object") continue;
			for (const name of Object.keys(tools[server])) {
				if (!(name in tools[server]) || !(ident(name) in tools[ident(server)])) bad.push(server + "." + name);
			}
		}
		return bad`)
	if string(env.Result) != "[]" {
		t.Errorf("not reached: %s %s", env.Message, env.Result)
	}
}

// Servers end with ours, however it ends, also those that want to live on.
func TestUpstreamsEndWithTheServer(t *testing.T) {
	for name, end := range map[string]func(*client){
		"input closed": func(c *client) { c.stdin.Close() },
		"terminated":   func(c *client) { c.cmd.Process.Signal(syscall.SIGTERM) },
		"killed":       func(c *client) { c.cmd.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			c := startWith(t, upstreams{"stubborn": "stubborn", "mute": "mute", "calls": "calls"})
			c.mustRun(`await Promise.all([tools.stubborn.echo({}), tools.calls.echo({})]); return 1`, "1")
			if name != "input closed" { // then answers that are owed are waited for
				c.send("tools/call", c.execute(`await tools.calls.echo({do: "sleep"})`))
			}
			all := children(t, c.cmd.Process.Pid)
			if len(all) < 4 { // three servers, and workers
				t.Fatalf("%d processes are running", len(all))
			}
			end(c)
			for _, pid := range all {
				eventually(t, "a process ends", func() bool { return !alive(pid) })
			}
		})
	}
}
