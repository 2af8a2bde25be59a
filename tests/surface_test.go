package tests

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	forms "codemode-mcp/internal/script"
	"codemode-mcp/internal/surface"
)

// docs/scripts.md is generated.
func TestDocsOfScripts(t *testing.T) {
	const path = "../docs/scripts.md"
	want := surface.Page(forms.FormsMarkdown())
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/scripts.md is not what internal/surface says: make update-golden, and read the diff")
	}
}

// The manifest, the globals of a script and the declarations agree, and each
// example gives what it says.
func TestSurface(t *testing.T) {
	c := startClient(t, nil, "serve", "--workspace", workspaceOf(t, languageFiles), "--log-level", "error")
	names := surface.Names()
	quoted, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	c.mustRun("return "+string(quoted)+".filter(name => !(name in globalThis))", "[]")

	// What the language itself has is not ours to list.
	env := c.run(`return Object.getOwnPropertyNames(globalThis)`)
	var globals []string
	if err := json.Unmarshal(env.Result, &globals); err != nil {
		t.Fatal(err)
	}
	for _, name := range globals {
		if !slices.Contains(names, name) && !slices.Contains(language, name) {
			t.Errorf("a script sees %q, and the manifest does not say so", name)
		}
	}
	for _, a := range surface.Absent {
		if a.Name != "import" {
			c.mustRun("return typeof "+a.Name, `"undefined"`)
		}
	}
	declarations := surface.Declarations()
	for _, g := range surface.Groups {
		for _, e := range g.Entries {
			for _, name := range e.Names {
				if !slices.Contains(declaredWithTools, name) && !strings.Contains(declarations, " "+name) {
					t.Errorf("%s is not declared", name)
				}
			}
			if env := c.run(e.Example); env.Error != "" || unescape.Replace(string(env.Result)) != e.Result {
				t.Errorf("%v: the example gives %s %s %s, want %s", e.Names, env.Result, env.Kind, env.Message, e.Result)
			}
		}
	}
}

// declaredWithTools are declared by the tools' own part of sdk.d.ts, or are another
// name that TypeScript reserves.
var declaredWithTools = []string{"tools", "ToolError", "arguments"}

// language are the globals of ECMAScript in V8.
var language = strings.Fields(`Object Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error
	AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer Atomics Uint8Array Int8Array
	Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set
	Iterator WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape
	isFinite isNaN Float16Array`)
