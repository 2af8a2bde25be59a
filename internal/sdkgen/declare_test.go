package sdkgen

import (
	"encoding/json"
	"strings"
	"testing"

	"codemode-mcp/internal/catalog"
)

func TestOptions(t *testing.T) {
	tools := []*catalog.Tool{
		{Server: "a", Name: "learned"},
		{Server: "a", Name: "stated", OutputSchema: json.RawMessage(`{"type":"string"}`)},
	}
	got := Declarations(tools, &Options{
		Surface:  "declare const only: number;",
		Observed: func(*catalog.Tool) (string, bool) { return "{\n  n: number;\n}", true },
		Flat:     func(t *catalog.Tool) bool { return t.Name == "stated" },
	})
	for _, want := range []string{
		"learned: OptionalTool<LearnedArgs, LearnedResult>;",
		"  /** Observed in earlier results; others may differ. */\n  type LearnedResult = {\n    n: number;\n  };\n",
		"type StatedResult = string;",
		`} & Omit<CodeMode.a.Tools, "learned">;`,
		"\ndeclare const only: number;\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "callTool") {
		t.Error("the default surface stands beside the one that was given")
	}
}

func TestDefaultSurface(t *testing.T) {
	got := Declarations(nil, nil)
	if err := wellFormed(got); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"declare const tools: {\n};", "declare const args:", "declare var console:", "declare const cc:", "declare const mcg:"} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}

// What describes one tool is what the file says of it.
func TestDeclarationIsPartOfTheFile(t *testing.T) {
	for _, tool := range storedTools(t)["real"] {
		one, all := Declaration(tool, nil), Declarations([]*catalog.Tool{tool}, nil)
		if !strings.Contains(all, one) {
			t.Errorf("%s: the file does not hold\n%s", tool.Name, one)
		}
	}
}

// Of two tools with one name in one server the first counts.
func TestRepeatedNames(t *testing.T) {
	got := Declarations([]*catalog.Tool{
		{Server: "s", Name: "dup", InputSchema: json.RawMessage(`{"properties":{"a":{}}}`)},
		{Server: "s", Name: "dup", InputSchema: json.RawMessage(`{"properties":{"b":{}}}`)},
	}, nil)
	if strings.Count(got, "dup:") != 1 || !strings.Contains(got, "type DupArgs = { a?: unknown };") {
		t.Error(got)
	}
}

func TestNamerNeverRepeats(t *testing.T) {
	n := newNamer("Tool")
	seen := map[string]bool{"Tool": true}
	for _, want := range []string{"Tool", "A", "A2", "A", "A", "A2", "A3", "A1", "A1", "Tool2"} {
		got := n.pick(want)
		if seen[got] {
			t.Errorf("pick(%q) gave %q again", want, got)
		}
		seen[got] = true
	}
}

func BenchmarkDeclarations(b *testing.B) {
	var tools []*catalog.Tool
	for _, set := range storedTools(b) {
		tools = append(tools, set...)
	}
	for b.Loop() {
		Declarations(tools, nil)
	}
}
