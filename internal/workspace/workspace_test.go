package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
)

var update = flag.Bool("update", false, "write the golden files")

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	files{"home/project/": "", "file": "x", "link": "-> home"}.write(t, dir)
	home := filepath.Join(dir, "home")
	for _, tt := range []struct {
		name, root string
		kind       Kind
	}{
		{"the root of the file system", "/", KindRootRefused},
		{"the same with dots", "/tmp/..", KindRootRefused},
		{"the home folder", home, KindRootRefused},
		{"the home folder with a slash", home + "/", KindRootRefused},
		{"a link to the home folder", filepath.Join(dir, "link"), KindRootRefused},
		{"a folder above it", dir, KindRootRefused},
		{"a file", filepath.Join(dir, "file"), KindWrongType},
		{"nothing", filepath.Join(dir, "nothing"), KindNotFound},
		{"the empty path", "", KindInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, err := Open(tt.root, &Options{Home: home})
			var e *Error
			if !errors.As(err, &e) || e.Kind != tt.kind {
				t.Fatalf("Open(%q) = %v, %v; want kind %s", tt.root, w, err, tt.kind)
			}
		})
	}
	if _, err := Open(dir, &Options{Protected: []string{"relative"}}); err == nil {
		t.Error("a relative protected path was taken")
	}
	w, err := Open(filepath.Join(home, "project"), &Options{Home: home})
	must(t, err)
	if got := w.Root(); got != filepath.Join(home, "project") {
		t.Errorf("Root() = %q", got)
	}
	must(t, w.Close())
	if _, err := invoke(context.Background(), t, w, "list_directory", object{}); err == nil {
		t.Error("a closed workspace still lists")
	}
}

func TestToolsAndRoles(t *testing.T) {
	roles := map[policy.Role][]string{}
	w, _ := open(t, nil)
	for _, tool := range w.Tools() {
		roles[tool.Role] = append(roles[tool.Role], tool.Name)
		a := tool.Annotations
		if tool.Title == "" || len(tool.Description) < 40 || a.Destructive == nil || a.OpenWorld == nil || *a.OpenWorld {
			t.Errorf("%s is not described: %+v", tool.Name, tool)
		}
		if a.ReadOnly != (tool.Role == policy.Viewer) {
			t.Errorf("%s: read-only is %v for a %s", tool.Name, a.ReadOnly, tool.Role)
		}
	}
	want := map[policy.Role][]string{
		policy.Viewer: {"list_directory", "glob", "grep", "read_file", "file_info"},
		policy.Editor: {"write_file", "edit_file", "create_directory", "move_file"},
		policy.Admin:  {"delete_file"},
	}
	if d := cmp.Diff(want, roles); d != "" {
		t.Error(d)
	}
	readOnly, _ := open(t, nil, func(_ string, o *Options) { o.Writable = false })
	if got := len(readOnly.Tools()); got != len(want[policy.Viewer]) {
		t.Errorf("a read-only workspace has %d tools", got)
	}
	if _, err := catalog.New(w.Tools()); err != nil {
		t.Error(err)
	}
}

// A schema is what clients see of us: a change to one is a change of the API.
func TestSchemas(t *testing.T) {
	w, _ := open(t, nil)
	for _, tool := range w.Tools() {
		t.Run(tool.Name, func(t *testing.T) {
			var got bytes.Buffer
			raw, err := json.Marshal(object{"in": tool.InputSchema, "out": tool.OutputSchema})
			must(t, err)
			must(t, json.Indent(&got, raw, "", "  "))
			got.WriteByte('\n')
			if bytes.Contains(raw, []byte(`"$ref"`)) || bytes.Contains(raw, []byte(`"$defs"`)) {
				t.Error("the schema is not inline")
			}
			if !bytes.Contains(raw, []byte("draft/2020-12")) {
				t.Error("the schema does not name its draft")
			}
			golden := filepath.Join("testdata", tool.Name+".json")
			if *update {
				must(t, os.WriteFile(golden, got.Bytes(), 0o644))
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v: run with -update to write it", err)
			}
			if d := cmp.Diff(string(want), got.String()); d != "" {
				t.Errorf("the schema changed. Read the diff; if it is meant, run with -update.\n%s", d)
			}
		})
	}
}

// The limits in the schemas are text in tags: hold them to the constants.
func TestSchemaLimits(t *testing.T) {
	w, _ := open(t, nil)
	type limits struct{ Minimum, Maximum, Default, MaxLength int }
	get := func(tool, arg string) (l limits) {
		for _, tl := range w.Tools() {
			if tl.Name == tool {
				var s struct{ Properties map[string]json.RawMessage }
				must(t, json.Unmarshal(tl.InputSchema, &s))
				must(t, json.Unmarshal(s.Properties[arg], &l))
			}
		}
		return l
	}
	for _, tt := range []struct {
		tool, arg string
		want      limits
	}{
		{"grep", "limit", limits{1, maxGrepLimit, defGrepLimit, 0}},
		{"grep", "contextLines", limits{0, maxContextLines, 0, 0}},
		{"grep", "pattern", limits{MaxLength: maxPatternBytes}},
		{"glob", "limit", limits{1, maxGlobLimit, defGlobLimit, 0}},
		{"glob", "pattern", limits{MaxLength: maxPatternBytes}},
	} {
		if got := get(tt.tool, tt.arg); got != tt.want {
			t.Errorf("%s.%s: %+v, want %+v", tt.tool, tt.arg, got, tt.want)
		}
	}
}

func TestArgumentsAreStrict(t *testing.T) {
	w, _ := open(t, files{"a": "x"})
	for _, args := range []string{`{"Path":"a"}`, `{"path":"a","more":1}`, `{"path":7}`, `[]`, `{"path":"a"} {}`, `nonsense`} {
		for _, tool := range w.Tools() {
			if tool.Name != "read_file" {
				continue
			}
			_, err := tool.Invoke(context.Background(), json.RawMessage(args))
			var e *Error
			if !errors.As(err, &e) || e.Kind != KindInvalid {
				t.Errorf("read_file %s: %v, want an invalid error", args, err)
			}
		}
	}
	if got := run[listResult](t, w, "list_directory", nil); got.Path != "." {
		t.Errorf("null arguments list %q", got.Path)
	}
}

func TestResultsKeepTheirCharacters(t *testing.T) {
	w, _ := open(t, files{"a.html": "<b>&</b>\n"})
	raw, err := invoke(context.Background(), t, w, "read_file", object{"path": "a.html"})
	must(t, err)
	if !strings.Contains(string(raw), "<b>&</b>") {
		t.Errorf("the text was escaped: %s", raw)
	}
}
