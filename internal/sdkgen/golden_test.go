package sdkgen

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// storedTool is a tool as the files in testdata hold it.
type storedTool struct {
	Server, Name, Title, Description string
	InputSchema, OutputSchema        json.RawMessage
	Annotations                      catalog.Annotations
	Role                             policy.Role
}

// storedTools reads sets of tools, by the name of their golden file.
func storedTools(t testing.TB) map[string][]*catalog.Tool {
	t.Helper()
	out := map[string][]*catalog.Tool{}
	for _, file := range []string{"tricky.json", "real.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		var sets map[string][]storedTool
		if err := json.Unmarshal(data, &sets); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for name, set := range sets {
			for _, s := range set {
				out[name] = append(out[name], &catalog.Tool{
					Server: s.Server, Name: s.Name, Title: s.Title, Description: s.Description,
					InputSchema: s.InputSchema, OutputSchema: s.OutputSchema, Annotations: s.Annotations, Role: s.Role,
				})
			}
		}
	}
	return out
}

// noSurface keeps what is the same in every file out of the golden ones.
var noSurface = &Options{Surface: "// The script surface stands here."}

func TestGolden(t *testing.T) {
	sets := storedTools(t)
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		t.Run(name, func(t *testing.T) {
			got := Declarations(sets[name], noSurface)
			if err := wellFormed(got); err != nil {
				t.Error(err)
			}
			path := filepath.Join("testdata", name+".d.ts")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s has changed. Read the diff; if every line is better than before, run\n"+
					"\tgo test ./internal/sdkgen -run TestGolden -update\n%s", path, diff)
			}
		})
	}
}

// The order in which tools are listed must not show: a cached prompt would be
// lost with it.
func TestOrderOfToolsDoesNotShow(t *testing.T) {
	for name, tools := range storedTools(t) {
		want := Declarations(tools, nil)
		turned := slices.Clone(tools)
		slices.Reverse(turned)
		if diff := cmp.Diff(want, Declarations(turned, nil)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
