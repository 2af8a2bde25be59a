package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIgnoreRules(t *testing.T) {
	for _, tt := range []struct {
		rules, path string
		want        bool
	}{
		{"*.log", "a.log", true}, {"*.log", "x/y/a.log", true}, {"*.log", "a.logs", false},
		{"/a.log", "a.log", true}, {"/a.log", "x/a.log", false},
		{"x/a.log", "x/a.log", true}, {"x/a.log", "y/x/a.log", false},
		{"build/", "build/", true}, {"build/", "x/build/", true}, {"build/", "build", false}, {"/build/", "x/build/", false},
		{"*.log\n!keep.log", "keep.log", false}, {"!keep.log\n*.log", "keep.log", true}, {"*\n!*.go", "a.go", false},
		{"# a", "# a", false}, {`\#a`, "#a", true}, {`\!a`, "!a", true}, {"a   ", "a", true}, {`a\ `, "a ", true}, {"", "a", false},
		{"**/foo", "foo", true}, {"**/foo", "a/b/foo", true}, {"foo/**", "foo/a", true}, {"foo/**", "foo/", false}, {"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true}, {"a*b", "axxb", true}, {"a*b", "ax/b", false}, {"a?b", "axb", true}, {"[ab].c", "a.c", true}, {"[!ab].c", "a.c", false},
		{"{a,b}", "a", false}, {"{a,b}", "{a,b}", true}, {"a.log\r", "a.log", true}, {"**", "x", true}, {"*.log/", "a.log", false},
	} {
		rules := parseIgnore(nil, "", tt.rules+"\n")
		path, isDir := strings.CutSuffix(tt.path, "/")
		if got := rules.ignored(path, isDir); got != tt.want {
			t.Errorf("rules %q, path %q: ignored is %v", tt.rules, tt.path, got)
		}
	}
}

var ignoreTree = files{
	".gitignore": "*.log\n!keep.log\n/top.txt\nbuild/\nsub/only.txt\ndocs/**/*.tmp\nback/*\n!back/stay\nspaced\\ name\n{x}\n",
	"a.log":      "", "keep.log": "", "top.txt": "", "sub/top.txt": "", "build/x": "", "sub/build/y": "", "sub/only.txt": "", "other/sub/only.txt": "",
	"docs/a.tmp": "", "docs/p/q/b.tmp": "", "docs/c.txt": "", "back/gone": "", "back/stay": "", "spaced name": "", "{x}": "", "x": "",
	"sub/.gitignore": "!*.log\nlocal\n/here\n", "sub/b.log": "", "sub/local": "", "sub/deep/local": "", "sub/here": "", "sub/deep/here": "",
	"build/.gitignore": "!x\n", "sub-a/f": "", "Sub": "", "sub.txt": "",
}

// git itself is the judge of which files are ignored.
func TestGlobAgreesWithGit(t *testing.T) {
	w, root := open(t, ignoreTree)
	got := run[globResult](t, w, "glob", object{"pattern": "**"})
	if !slices.IsSorted(got.Paths) {
		t.Errorf("the paths are not sorted: %q", got.Paths)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to compare with")
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "core.quotePath=false", "-c", "core.excludesFile=/dev/null"}, args...)...)
		out, err := cmd.Output()
		must(t, err)
		return string(out)
	}
	git("init", "-q")
	want := strings.Fields(strings.ReplaceAll(git("ls-files", "--others", "--exclude-standard"), " ", "\u00a0"))
	slices.Sort(want)
	if d := cmp.Diff(want, run[globResult](t, w, "glob", object{"pattern": "**"}).Paths); d != "" {
		t.Error(d)
	}
	all := run[globResult](t, w, "glob", object{"pattern": "**", "includeIgnored": true, "limit": maxGlobLimit}).Paths
	if !slices.Contains(all, ".git/HEAD") || !slices.Contains(all, "build/x") {
		t.Error("includeIgnored leaves something out")
	}
}

func TestGlob(t *testing.T) {
	w, root := open(t, files{
		"a.go": "", "b.ts": "", "src/c.go": "", "src/x/d.go": "", "src/x/e.ts": "", "src/x/f.js": "", "link": "-> src", "l.go": "-> a.go",
		".hidden/h.go": "", "src-2/z.go": "",
	})
	for _, tt := range []struct {
		args object
		want []string
	}{
		{object{"pattern": "*.go"}, []string{"a.go", "l.go"}},
		{object{"pattern": "**/*.go"}, []string{".hidden/h.go", "a.go", "l.go", "src-2/z.go", "src/c.go", "src/x/d.go"}},
		{object{"pattern": "src/**/*.{ts,js}"}, []string{"src/x/e.ts", "src/x/f.js"}},
		{object{"pattern": "*.go", "path": "src/x"}, []string{"src/x/d.go"}},
		{object{"pattern": "*.go", "path": "link"}, []string{"src/c.go"}},
		{object{"pattern": "{src,.hidden}/*.go"}, []string{".hidden/h.go", "src/c.go"}},
		{object{"pattern": "./src/?.go"}, []string{"src/c.go"}},
		{object{"pattern": "src"}, nil}, {object{"pattern": "lin*"}, []string{"link"}},
	} {
		got := run[globResult](t, w, "glob", tt.args)
		if d := cmp.Diff(append([]string{}, tt.want...), got.Paths); d != "" {
			t.Errorf("glob %v: %s", tt.args, d)
		}
	}
	if got := run[globResult](t, w, "glob", object{"pattern": "**/*.go", "limit": 2}); !got.Truncated || len(got.Paths) != 2 || got.Paths[1] != "a.go" {
		t.Errorf("limit: %+v", got)
	}
	if got := run[globResult](t, w, "glob", object{"pattern": "c.go"}); !strings.Contains(got.Note, "**/") {
		t.Errorf("a top-level pattern that finds nothing: note %q", got.Note)
	}
	must(t, os.WriteFile(filepath.Join(root, ".gitignore"), []byte("x\n"), 0o644))
	if got := run[globResult](t, w, "glob", object{"pattern": "src/x/*"}); len(got.Paths) != 0 || !strings.Contains(got.Note, "includeIgnored") {
		t.Errorf("ignored: %+v", got)
	}
	if got := run[globResult](t, w, "glob", object{"pattern": "*", "path": "src/x"}); len(got.Paths) != 3 {
		t.Errorf("a folder that was named is searched though it is ignored: %+v", got)
	}
	for _, p := range []string{"[a", "a/../b", "/etc/*", strings.Repeat("{a,b}", 10), strings.Repeat("a", maxPatternBytes+1)} {
		wantError(t, w, "glob", object{"pattern": p}, KindInvalid)
	}
}
