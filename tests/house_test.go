package tests

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codemode-mcp/internal/limits"
)

// mayImport are the packages of this module that each package may import, the
// whole house on one page. A package that is missing here fails the test.
var mayImport = map[string][]string{
	"internal/policy":           {},
	"internal/limits":           {},
	"internal/textsearch":       {},
	"internal/catalog":          {"internal/near", "internal/policy", "internal/textsearch"},
	"internal/schema":           {"internal/catalog"},
	"internal/near":             {},
	"internal/surface":          {"internal/near"},
	"internal/sdkgen":           {"internal/catalog", "internal/policy", "internal/surface"},
	"internal/workspace":        {"internal/near", "internal/catalog", "internal/policy"},
	"internal/dispatch":         {"internal/catalog", "internal/policy", "internal/schema"},
	"internal/config":           {"internal/limits", "internal/policy", "internal/catalog"},
	"internal/tokens":           {},
	"internal/upstream":         {"internal/catalog", "internal/config", "internal/policy", "internal/tokens"},
	"internal/telemetry":        {"internal/bridge", "internal/dispatch"},
	"internal/script":           {},
	"internal/sandbox/wire":     {},
	"internal/sandbox/lockdown": {},
	"internal/sandbox/worker":   {"internal/sandbox/wire", "internal/sandbox/lockdown", "internal/script", "internal/surface"},
	"internal/sandbox":          {"internal/sandbox/wire", "internal/sandbox/lockdown"},
	"internal/bridge":           {"internal/discover", "internal/shape", "internal/catalog", "internal/dispatch", "internal/limits", "internal/policy", "internal/sandbox", "internal/sandbox/wire", "internal/schema", "internal/session"},
	"internal/shape":            {},
	"internal/session":          {"internal/shape"},
	"internal/discover":         {"internal/near", "internal/catalog", "internal/dispatch", "internal/limits", "internal/policy", "internal/sdkgen"},
	"internal/auth":             {"internal/config", "internal/policy"},
	"internal/jsonrpc":          {},
	"internal/httpd":            {"internal/auth", "internal/config", "internal/jsonrpc"},
	"internal/server":           {"internal/auth", "internal/jsonrpc", "internal/httpd", "internal/discover", "internal/schema", "internal/bridge", "internal/catalog", "internal/dispatch", "internal/limits", "internal/policy"},
	"cmd/codemode-mcp":          nil, // wires everything
}

// onlyIn are the foreign packages that few may import.
var onlyIn = map[string][]string{
	"github.com/modelcontextprotocol/go-sdk": {"internal/server", "internal/upstream"},
	"github.com/tommie/v8go":                 {"internal/sandbox/worker"},
}

// maxLines is how long a source file may be.
const maxLines = 500

func TestHouseRules(t *testing.T) {
	root := ".."
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), "\n"); n > maxLines {
			t.Errorf("%s has %d lines, at most %d: does it still have one subject?", path, n, maxLines)
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(rel, "tests") {
			return err
		}
		seen[rel] = true
		checkImports(t, rel, path, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range mayImport {
		if !seen[pkg] {
			t.Errorf("%s is in the table and not in the house", pkg)
		}
	}
}

func checkImports(t *testing.T, pkg, path string, text []byte) {
	allowed, known := mayImport[pkg]
	if !known {
		t.Errorf("package %s is not in the table of imports", pkg)
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if ours, ok := strings.CutPrefix(name, "codemode-mcp/"); ok && pkg != "cmd/codemode-mcp" && !slices.Contains(allowed, ours) {
			t.Errorf("%s imports %s: the house has no such arrow", path, ours)
		}
		for foreign, few := range onlyIn {
			if strings.HasPrefix(name, foreign) && !slices.Contains(few, pkg) {
				t.Errorf("%s imports %s: only %v may", path, name, few)
			}
		}
	}
}

// TestDocs holds the README to what the program does.
func TestDocs(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- limits -->\n", "<!-- /limits -->"
	before, rest, ok := strings.Cut(string(readme), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("README.md has no limits table between its marks")
	}
	want := before + begin + limits.Table() + end + after
	if want == string(readme) {
		return
	}
	if *update {
		if err := os.WriteFile("../README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Error("the limits table of README.md is not that of the program: make update-golden, and read the diff")
}

// The example of the README on a tree whose callers are known.
func TestWhoCalls(t *testing.T) {
	dir := workspaceOf(t, map[string]string{
		"a.go": "package a\n\nfunc One(s S) {\n\ts.Elicit(1)\n}\n\nfunc none(s S) {\n\t// s.Elicit(1)\n\tx := \"s.Elicit(1)\"\n}\n",
		"b/b.go": "package b\n\ntype T[K any] struct{}\n\nfunc (t *T[K]) Two(s S) error {\n\treturn s.\n\t\tElicit(2)\n}\n\n" +
			"func short(s S) { s.Elicit(3) }\n\nfunc after() {\n\tElicit(4)\n}\n",
		"c.go":         "package c\n\nvar raw = `\nfunc Fake() {\n\ts.Elicit(1)\n}\n`\n\nfunc Elicit() {}\n",
		"vendor/d.txt": "s.Elicit(1)",
	})
	example, err := os.ReadFile("../examples/who-calls.js")
	if err != nil {
		t.Fatal(err)
	}
	c := startClient(t, nil, "serve", "--workspace", dir, "--log-level", "error")
	args := `{"name":"execute_script","arguments":{"script":` + quote(string(example)) + `,"arguments":{"method":"Elicit"}}}`
	env := c.envelope(c.request("tools/call", args))
	const want = `[{"caller":"One","file":"a.go","line":4},{"caller":"T.Two","file":"b/b.go","line":7},{"caller":"short","file":"b/b.go","line":10}]`
	if string(env.Result) != want {
		t.Errorf("%s %s\ngot  %s\nwant %s", env.Kind, env.Message, env.Result, want)
	}
	if env.Count != 4 {
		t.Errorf("%d tool calls, want one grep and three reads", env.Count)
	}

	// As make demo does it: a part of this project that fits the defaults.
	c = startClient(t, nil, "serve", "--workspace", "..", "--log-level", "error")
	env = c.envelope(c.request("tools/call", strings.Replace(args, `"method":"Elicit"`, `"method":"Close","path":"cmd"`, 1)))
	if !strings.Contains(string(env.Result), `"caller":"app.Close"`) || strings.Contains(strings.Join(env.Logs, "\n"), "[warn]") {
		t.Errorf("%s %s: %.300s", env.Kind, env.Message, env.Result)
	}
}

// The first example of the README, on this project and with the defaults.
func TestReadmeExample(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```js\n")
	script, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("README.md has no example")
	}
	c := startClient(t, nil, "serve", "--workspace", "..", "--log-level", "error")
	env := c.envelope(c.request("tools/call", `{"name":"execute_script","arguments":{"script":`+quote(script)+`}}`))
	if !strings.Contains(string(env.Result), `"caller":"func serveHTTP(`) {
		t.Errorf("%s %s: %.300s", env.Kind, env.Message, env.Result)
	}
}
