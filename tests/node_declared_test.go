//go:build node

package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/schema"
	"codemode-mcp/internal/sdkgen"
)

// TestTypesOfCatalogs checks the declarations of every recorded catalog, alone and
// all together, with the real compiler; and with them, for every tool, a call that
// is right and one that is wrong.
func TestTypesOfCatalogs(t *testing.T) {
	recorded := recordedTools(t)
	programs := map[string]map[string]string{}
	var all []*catalog.Tool
	var calls strings.Builder
	for _, server := range slices.Sorted(maps.Keys(recorded)) {
		c, err := catalog.New(recorded[server])
		if err != nil {
			t.Fatal(err)
		}
		tools := c.Visible(policyAdmin)
		all = append(all, tools...)
		text, right, wrong := callsOf(tools)
		t.Logf("%s: %d tools, %d right calls, %d wrong ones", server, len(tools), right, wrong)
		if right < len(tools) || wrong < len(tools) {
			t.Errorf("%s: not every tool has both", server)
		}
		calls.WriteString(text)
		programs[server] = map[string]string{"sdk.d.ts": sdkgen.Declarations(tools, nil), "calls.ts": text + "export {};\n"}
	}
	programs["all"] = map[string]string{"sdk.d.ts": sdkgen.Declarations(all, nil), "calls.ts": calls.String() + "export {};\n"}
	compile(t, programs)
}

// TestTypesOfSchemas does the same for the schemas that other projects test with, as
// a tool's input and as its output.
func TestTypesOfSchemas(t *testing.T) {
	var tools []*catalog.Tool
	add := func(name string, text json.RawMessage) {
		for _, in := range []bool{true, false} {
			tool := catalog.Tool{Server: "schemas", Name: fmt.Sprintf("%s_%d_%v", name, len(tools), in), InputSchema: text}
			if !in {
				tool.InputSchema, tool.OutputSchema = nil, text
			}
			tools = append(tools, &tool)
		}
	}
	err := filepath.WalkDir("testdata/schemas", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var suite []struct{ Schema json.RawMessage }
		if json.Unmarshal(text, &suite) == nil {
			for _, s := range suite {
				add(filepath.Base(path), s.Schema)
			}
			return nil
		}
		add(filepath.Base(path), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(tools) < 500 {
		t.Fatalf("only %d schemas", len(tools))
	}
	programs := map[string]map[string]string{"all": {"sdk.d.ts": sdkgen.Declarations(tools, nil)}}
	for i, one := range tools { // alone, together in one program: namespaces of their own
		alone := *one
		alone.Server = fmt.Sprint("s", i)
		if text := sdkgen.Declaration(&alone, nil); text != "" {
			programs["alone"] = appendFile(programs["alone"], fmt.Sprintf("s%d.d.ts", i), text)
		}
	}
	core, _, _ := strings.Cut(sdkgen.Declarations(nil, nil), "declare const tools")
	programs["alone"]["core.d.ts"] = core
	compile(t, programs)
	t.Logf("%d declarations", len(tools))
}

func appendFile(files map[string]string, name, text string) map[string]string {
	if files == nil {
		files = map[string]string{}
	}
	files[name] = text
	return files
}

func compile(t *testing.T, programs map[string]map[string]string) {
	t.Helper()
	text, err := json.Marshal(programs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "--max-old-space-size=4096", "declared.mjs")
	cmd.Dir, cmd.Stdin = "node", bytes.NewReader(text)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// callsOf writes a right and a wrong call of each tool. The compiler itself says
// when a wrong one passes: then the directive above it is unused.
func callsOf(tools []*catalog.Tool) (text string, right, wrong int) {
	var b strings.Builder
	for _, tool := range tools {
		good, bad, ok := argumentsFor(tool)
		if !ok {
			continue
		}
		right++
		path := fmt.Sprintf("void tools[%s][%s]", quote(tool.Server), quote(tool.Name))
		fmt.Fprintf(&b, "%s(%s);\n", path, good)
		if id := tool.ToolIdent(); id != tool.Name { // what a search says
			fmt.Fprintf(&b, "void tools.%s.%s(%s);\n", tool.ServerIdent(), id, good)
		}
		if bad != "" {
			wrong++
			fmt.Fprintf(&b, "// @ts-expect-error\n%s(%s);\n", path, bad)
		}
	}
	return b.String(), right, wrong
}

// argumentsFor makes arguments that the tool's own schema takes, and ones in which
// a single argument is of a wrong kind.
func argumentsFor(tool *catalog.Tool) (good, bad string, ok bool) {
	compiled, err := schema.Compile(tool.InputSchema)
	if err != nil {
		return "{}", "42", true
	}
	var root map[string]any
	if json.Unmarshal(tool.InputSchema, &root) != nil {
		return "", "", false
	}
	m := maker{root: root}
	args, _ := m.make(root, 0).(map[string]any)
	if args == nil {
		args = map[string]any{}
	}
	text := encode(args)
	if compiled.Validate(text) != nil {
		return "", "", false
	}
	props, _ := root["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(props)) {
		kinds := m.kinds(props[name], 0)
		if kinds == nil {
			continue
		}
		for kind, value := range map[string]any{"boolean": true, "array": []any{}, "number": 4.5} {
			if kinds[kind] || kind == "number" && kinds["integer"] {
				continue
			}
			spoiled := maps.Clone(args)
			spoiled[name] = value
			if compiled.Validate(encode(spoiled)) != nil {
				return string(text), string(encode(spoiled)), true
			}
		}
	}
	return string(text), "42", true // no argument has a type of its own, but they are an object
}

func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// maker makes the simplest values that schemas take.
type maker struct{ root map[string]any }

func (m maker) resolve(s any) map[string]any {
	object, _ := s.(map[string]any)
	for range 10 {
		ref, ok := object["$ref"].(string)
		if !ok {
			break
		}
		var at any = m.root
		for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			if within, ok := at.(map[string]any); ok {
				at = within[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
			}
		}
		object, _ = at.(map[string]any)
	}
	return object
}

// kinds are the kinds of values a schema takes; nil when it may be any.
func (m maker) kinds(s any, depth int) map[string]bool {
	o := m.resolve(s)
	out := map[string]bool{}
	if depth > 5 || o == nil {
		return nil
	}
	switch t := o["type"].(type) {
	case string:
		return map[string]bool{t: true}
	case []any:
		for _, k := range t {
			out[fmt.Sprint(k)] = true
		}
		return out
	}
	for _, kw := range []string{"anyOf", "oneOf"} {
		list, _ := o[kw].([]any)
		for _, one := range list {
			kinds := m.kinds(one, depth+1)
			if kinds == nil {
				return nil
			}
			maps.Copy(out, kinds)
		}
	}
	if values, ok := o["enum"].([]any); ok {
		for _, v := range values {
			switch v.(type) {
			case string:
				out["string"] = true
			case float64:
				out["number"] = true
			case bool:
				out["boolean"] = true
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (m maker) make(s any, depth int) any {
	o := m.resolve(s)
	if depth > 8 || o == nil {
		return map[string]any{}
	}
	if v, ok := o["const"]; ok {
		return v
	}
	if values, ok := o["enum"].([]any); ok && len(values) > 0 {
		return values[0]
	}
	for _, kw := range []string{"anyOf", "oneOf"} {
		if list, ok := o[kw].([]any); ok && len(list) > 0 && o["properties"] == nil {
			return m.make(list[0], depth+1)
		}
	}
	kind, _ := o["type"].(string)
	if list, ok := o["type"].([]any); ok && len(list) > 0 {
		kind = fmt.Sprint(list[0])
	}
	switch kind {
	case "string":
		return m.text(o)
	case "integer", "number":
		for _, kw := range []string{"minimum", "default"} {
			if n, ok := o[kw].(float64); ok {
				return n
			}
		}
		if n, ok := o["exclusiveMinimum"].(float64); ok {
			return n + 1
		}
		return 1
	case "boolean":
		return true
	case "null":
		return nil
	case "array":
		n, _ := o["minItems"].(float64)
		out := []any{}
		for range int(n) {
			out = append(out, m.make(o["items"], depth+1))
		}
		return out
	}
	out := map[string]any{}
	props, _ := o["properties"].(map[string]any)
	required, _ := o["required"].([]any)
	for _, name := range required {
		out[fmt.Sprint(name)] = m.make(props[fmt.Sprint(name)], depth+1)
	}
	return out
}

// text tries what the formats and patterns of real schemas ask for.
func (m maker) text(o map[string]any) any {
	compiled, err := schema.Compile(encode(o))
	if err != nil {
		return "text"
	}
	least, _ := o["minLength"].(float64)
	examples, _ := o["examples"].([]any)
	for _, try := range append(examples, "text", "a", "https://example.org/a", "2026-01-01T00:00:00Z", "2026-01-01", "00000000-0000-4000-8000-000000000000",
		"a@example.org", "1", "5m", "#ff0000", "now-1h", "a/b", "owner/repo", "abc123", "0123456789abcdef0123456789abcdef01234567", strings.Repeat("a", int(least))) {
		if compiled.Validate(encode(try)) == nil {
			return try
		}
	}
	return "text"
}
