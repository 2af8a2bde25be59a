//go:build node

package tests

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// These tests start real servers, as a user's configuration would: npm's from
// tests/node, and gopls from bin (make test-node installs both).

// npx is the entry of a package installed in tests/node.
func npx(t *testing.T, pkg string, args ...string) map[string]any {
	dir, err := filepath.Abs("node")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"command": "npx", "args": append([]string{"--no-install", pkg}, args...), "cwd": dir}
}

func serversConfig(t *testing.T, servers map[string]any) string {
	text, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// One script uses three servers at once.
func TestRealServers(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "n.txt"), []byte("41"), 0o600); err != nil {
		t.Fatal(err)
	}
	memory := npx(t, "@modelcontextprotocol/server-memory")
	memory["env"] = map[string]string{"MEMORY_FILE_PATH": filepath.Join(dir, "memory.json")}
	c := startConfig(t, serversConfig(t, map[string]any{
		"everything": npx(t, "@modelcontextprotocol/server-everything"),
		"filesystem": npx(t, "@modelcontextprotocol/server-filesystem", dir),
		"memory":     memory,
	}))
	c.mustRun(`const path = `+quote(filepath.Join(dir, "n.txt"))+`;
		const { content } = await tools.filesystem.read_text_file({ path });
		const sum = await tools.everything["get-sum"]({ a: Number(content), b: 1 });
		await tools.memory.create_entities({ entities: [{ name: "sum", entityType: "number", observations: [sum] }] });
		const graph = await tools.memory.read_graph();
		const [echo, same] = await Promise.all([tools.everything.echo({ message: graph.entities[0].observations[0] }), tools.everything.get_sum({ a: 41, b: 1 })]);
		return [echo, same === sum]`,
		`["Echo: The sum of 41 and 1 is 42.",true]`)
	compareEverything(t, c)
}

// Arguments of the tools of server-everything that want some.
var everythingArgs = map[string]string{
	"echo":                            `{"message":"hi"}`,
	"get-annotated-message":           `{"messageType":"error","includeImage":true}`,
	"get-resource-links":              `{"count":2}`,
	"get-resource-reference":          `{"resourceType":"Text","resourceId":1}`,
	"get-structured-content":          `{"location":"Chicago"}`,
	"get-sum":                         `{"a":1,"b":2}`,
	"gzip-file-as-resource":           `{"name":"x.gz","data":"data:text/plain;base64,aGk=","outputType":"resource"}`,
	"simulate-research-query":         `{"topic":"x"}`,
	"trigger-long-running-operation":  `{"duration":0.2,"steps":2}`,
	"trigger-elicitation-request":     `{}`,
	"trigger-sampling-request":        `{"prompt":"x"}`,
	"trigger-sampling-request-async":  `{"prompt":"x"}`,
	"trigger-elicitation-request-url": `{}`,
}

// differs are the parts of an answer that no two calls share.
var differs = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z|\d+:\d\d:\d\d [AP]M|[0-9a-f]{32,}`)

// compareEverything calls every tool once through a script and once directly.
func compareEverything(t *testing.T, c *client) {
	entry := npx(t, "@modelcontextprotocol/server-everything")
	cmd := exec.Command(entry["command"].(string), entry["args"].([]string)...)
	cmd.Dir = entry["cwd"].(string)
	direct, err := mcp.NewClient(&mcp.Implementation{Name: "codemode-mcp", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}).
		Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close()
	n := 0
	for tool, err := range direct.Tools(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		args := everythingArgs[tool.Name]
		if args == "" {
			args = "{}"
		}
		want, err := direct.CallTool(context.Background(), &mcp.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(args)})
		if err != nil {
			t.Errorf("%s: a direct call fails: %v", tool.Name, err)
			continue
		}
		env := c.run(`return await tools.everything[` + quote(tool.Name) + `].raw(` + args + `)`)
		if env.Error != "" {
			t.Errorf("%s: %s %s", tool.Name, env.Kind, env.Message)
			continue
		}
		wantText, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if tool.Name == "get-env" {
			continue // the two have different environments, as they should
		}
		if got, want := plain(t, env.Result), plain(t, wantText); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %.600s\nwant %.600s", tool.Name, env.Result, wantText)
		}
	}
	if n < 10 {
		t.Errorf("the server has %d tools only", n)
	}
}

// plain decodes an answer without what differs between any two.
func plain(t *testing.T, text []byte) any {
	var v map[string]any
	if err := json.Unmarshal([]byte(differs.ReplaceAllString(string(text), "*")), &v); err != nil {
		t.Fatal(err)
	}
	delete(v, "_meta")
	delete(v, "resultType")
	return v
}

// The problem that Code Mode was built for: who calls these two methods?
func TestGopls(t *testing.T) {
	gopls := os.Getenv("CODEMODE_TEST_GOPLS")
	if gopls == "" {
		gopls, _ = filepath.Abs("../bin/gopls")
	}
	dir := workspaceOf(t, map[string]string{
		"go.mod":  "module example.com/fixture\n\ngo 1.26\n",
		"shop.go": "package fixture\n\n// Shop sells.\ntype Shop struct{ n int }\n\n// Open opens the shop.\nfunc (s *Shop) Open() { s.n++ }\n\n// Close closes it.\nfunc (s *Shop) Close() { s.n = 0 }\n",
		"day.go": "package fixture\n\n// Morning opens.\nfunc Morning(s *Shop) { s.Open() }\n\n// Evening closes.\nfunc Evening(s *Shop) { s.Close() }\n\n" +
			"// Holiday does both.\nfunc Holiday(s *Shop) {\n\ts.Open()\n\ts.Close()\n}\n",
	})
	c := startConfig(t, serversConfig(t, map[string]any{"gopls": map[string]any{
		"command": gopls, "args": []string{"mcp"}, "cwd": dir, "env": map[string]string{"GOFLAGS": "-mod=mod", "GOCACHE": os.Getenv("GOCACHE")},
	}}), "--workspace", dir)
	c.mustRun(`const callers = async (symbol) => {
			const text = await tools.gopls.go_symbol_references({ file: `+quote(filepath.Join(dir, "shop.go"))+`, symbol });
			const places = [...text.matchAll(/file: (\S+)\nThe reference is located on line (\d+)/g)].map(([, file, line]) => [file.split("/").pop(), Number(line)]);
			const names = await Promise.all(places.map(async ([path, line]) => {
				const lines = (await tools.read_file({ path })).content.split("\n").slice(0, line + 1);
				const decl = lines.findLast((l) => l.startsWith("func "));
				return decl.match(/^func (?:\(.*?\) )?(\w+)/)[1];
			}));
			return names.filter((n) => "Shop." + n !== symbol).sort();
		};
		const [open, close] = await Promise.all([callers("Shop.Open"), callers("Shop.Close")]);
		return { open, close, both: open.filter((n) => close.includes(n)) }`,
		`{"open":["Holiday","Morning"],"close":["Evening","Holiday"],"both":["Holiday"]}`)
	if got := c.tools(); !slices.ContainsFunc(got, func(n string) bool { return strings.HasPrefix(n, "gopls__go_") }) {
		t.Errorf("listed %v", got)
	}
}
