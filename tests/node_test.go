//go:build node

package tests

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"codemode-mcp/internal/surface"
)

// These tests need node and the packages of tests/node (npm ci): make test-node.

// TestNodeClient drives the server with the official TypeScript SDK.
func TestNodeClient(t *testing.T) {
	dir := workspaceOf(t, map[string]string{"hello.txt": "hello from the workspace\n"})
	cmd := exec.Command("node", "--test", "client.mjs")
	cmd.Dir = "node"
	cmd.Env = append(os.Environ(), "CODEMODE_TEST_BINARY="+binary, "CODEMODE_TEST_WORKSPACE="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestTypes checks the declarations with the real TypeScript compiler.
func TestTypes(t *testing.T) {
	declarations, code := runBinary(t, nil, "", "sdk", "--writable")
	if code != 0 {
		t.Fatal(declarations)
	}
	cmd := exec.Command("node", "types.mjs")
	cmd.Dir = "node"
	cmd.Stdin = strings.NewReader(declarations)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestTypesOfExamples checks every example of docs/scripts.md, and every name of the
// surface, against the declarations that a reader of the docs has.
func TestTypesOfExamples(t *testing.T) {
	declarations, code := runBinary(t, nil, "", "sdk", "--writable")
	if code != 0 {
		t.Fatal(declarations)
	}
	var uses, examples strings.Builder
	for _, name := range surface.Names() {
		if name != "arguments" { // TypeScript has a meaning of its own for it
			uses.WriteString("void " + name + ";\n")
		}
	}
	page, err := os.ReadFile("../docs/scripts.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, part := range strings.Split(string(page), "```js\n")[1:] {
		body, _, _ := strings.Cut(part, "```")
		n++
		examples.WriteString("void (async () => {\n" + body + "});\n")
	}
	entries := 0
	for _, g := range surface.Groups {
		entries += len(g.Entries)
	}
	if n < entries {
		t.Fatalf("%d examples of %d entries", n, entries)
	}
	const failure = `void (async () => {
  try {
    await tools.read_file({ path: "a" });
  } catch (e) {
    if (!(e instanceof ToolError)) throw e;
    const said: (string | undefined)[] = [e.message, e.kind, e.tool, e.server, e.hint, e.content?.[0]?.text];
    const code: number | undefined = e.code;
    return [said, code, e.data];
  }
});
`
	compile(t, map[string]map[string]string{"examples": {
		"sdk.d.ts": declarations, "uses.ts": uses.String() + "export {};\n", "examples.ts": examples.String() + failure + "export {};\n",
	}})
}
