package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// grepLines runs grep and gives path:line:text of each match.
func grepLines(t testing.TB, w *Workspace, args object) []string {
	t.Helper()
	out := []string{}
	for _, m := range run[grepResult](t, w, "grep", args).Matches {
		out = append(out, fmt.Sprintf("%s:%d:%s", m.Path, m.Line, m.Text))
	}
	return out
}

func TestGrep(t *testing.T) {
	w, _ := open(t, files{
		"a.go": "package a\n\nfunc Foo() {}\nfunc bar() {}\n", "b.txt": "foo\r\nFOO\r\nlast", "src/c.go": "// Foo\n", "src-2/d.go": "x Foo y\n",
		"bin": "Foo\x00", "empty": "", "link.go": "-> a.go", "ignored.go": "Foo", ".gitignore": "ignored.go\n", ".git/x": "Foo\n",
		"uni": "\u212aelvin \u017fet\nKelvin set\n",
	})
	for _, tt := range []struct {
		args object
		want []string
	}{
		{object{"pattern": "Foo"}, []string{"a.go:3:func Foo() {}", "src-2/d.go:1:x Foo y", "src/c.go:1:// Foo"}},
		{object{"pattern": "foo", "ignoreCase": true, "path": "b.txt"}, []string{"b.txt:1:foo", "b.txt:2:FOO"}},
		{object{"pattern": "^foo$", "ignoreCase": true}, []string{"b.txt:1:foo", "b.txt:2:FOO"}},
		{object{"pattern": "(?i)^FOO$"}, []string{"b.txt:1:foo", "b.txt:2:FOO"}},
		{object{"pattern": "^func (F|b)"}, []string{"a.go:3:func Foo() {}", "a.go:4:func bar() {}"}},
		{object{"pattern": "bar|last|// F"}, []string{"a.go:4:func bar() {}", "b.txt:3:last", "src/c.go:1:// Foo"}},
		{object{"pattern": `^$`, "path": "a.go"}, []string{"a.go:2:"}},
		{object{"pattern": `a\s+func`}, []string{}}, // never across lines
		{object{"pattern": `[^z]`, "path": "b.txt"}, []string{"b.txt:1:foo", "b.txt:2:FOO", "b.txt:3:last"}},
		{object{"pattern": `\AFOO\z`}, []string{"b.txt:2:FOO"}},
		{object{"pattern": "kelvin set", "ignoreCase": true}, []string{"uni:1:\u212aelvin \u017fet", "uni:2:Kelvin set"}},
		{object{"pattern": "Foo", "glob": "*.go"}, []string{"a.go:3:func Foo() {}", "src-2/d.go:1:x Foo y", "src/c.go:1:// Foo"}},
		{object{"pattern": "Foo", "glob": "src/**"}, []string{"src/c.go:1:// Foo"}},
		{object{"pattern": "Foo", "path": "src", "glob": "*.{go,ts}"}, []string{"src/c.go:1:// Foo"}},
		{object{"pattern": "Foo", "includeIgnored": true, "glob": "{ignored.go,x}"}, []string{".git/x:1:Foo", "ignored.go:1:Foo"}},
		{object{"pattern": "Foo", "path": "ignored.go"}, []string{"ignored.go:1:Foo"}},
	} {
		if d := cmp.Diff(tt.want, grepLines(t, w, tt.args)); d != "" {
			t.Errorf("grep %v: %s", tt.args, d)
		}
	}
	got := run[grepResult](t, w, "grep", object{"pattern": "nothing"})
	if got.BinarySkipped != 1 || got.FilesSearched != 7 || got.Truncated || got.Matches == nil {
		t.Errorf("counts: %+v", got)
	}
	if got := run[grepResult](t, w, "grep", object{"pattern": "x", "glob": "*.none"}); !strings.Contains(got.Note, "no file was searched") {
		t.Errorf("nothing to search: %+v", got)
	}
	for _, p := range []string{"(", "a(?=b)", `(a)\1`, "a\nb", "", strings.Repeat("a", maxPatternBytes+1)} {
		wantError(t, w, "grep", object{"pattern": p}, KindInvalid)
	}
	for _, p := range []string{strings.Repeat(`\w{1000}`, 100), "((x?){30}){30}" + strings.Repeat("(a|b|c|d){1000}", 20)} {
		wantError(t, w, "grep", object{"pattern": p}, KindTooLarge, "too complex")
	}
	wantError(t, w, "grep", object{"pattern": "x", "limit": maxGrepLimit + 1}, KindInvalid)
	wantError(t, w, "grep", object{"pattern": "x", "contextLines": maxContextLines + 1}, KindInvalid)
	wantError(t, w, "grep", object{"pattern": "x", "glob": "["}, KindInvalid)
}

func TestGrepContext(t *testing.T) {
	w, _ := open(t, files{"f": "1\n2\nM3\n4\n5\n6\nM7\nM8\n9\n10"})
	got := run[grepResult](t, w, "grep", object{"pattern": "M", "contextLines": 2})
	want := []grepMatch{
		{Path: "f", Line: 3, Text: "M3", Before: []string{"1", "2"}, After: []string{"4", "5"}},
		{Path: "f", Line: 7, Text: "M7", Before: []string{"6"}},
		{Path: "f", Line: 8, Text: "M8", After: []string{"9", "10"}},
	}
	if d := cmp.Diff(want, got.Matches); d != "" {
		t.Error(d)
	}
}

// A file of many chunks: numbers and context hold across their borders. A slow,
// obvious search says what is right.
func TestGrepAcrossChunks(t *testing.T) {
	var lines []string
	for i := range 30_000 {
		lines = append(lines, fmt.Sprintf("%d %s", i, strings.Repeat("abcdefghij", i%7)))
	}
	w, _ := open(t, files{"big": strings.Join(lines, "\n")})
	const around = 3
	re := regexp.MustCompile(`^\d*99 `)
	var want []grepMatch
	shown := -1 // the last line an answer has shown
	for i, l := range lines {
		if !re.MatchString(l) {
			if n := len(want); n > 0 && i < want[n-1].Line+around {
				want[n-1].After = append(want[n-1].After, l)
				shown = i
			}
			continue
		}
		m := grepMatch{Path: "big", Line: i + 1, Text: l}
		m.Before = append(m.Before, lines[max(shown+1, i-around):i]...)
		want, shown = append(want, m), i
	}
	for _, pattern := range []string{`^\d*99 `, `^[0-9]*[9][9] `} { // with and without a literal
		got := run[grepResult](t, w, "grep", object{"pattern": pattern, "contextLines": around, "limit": maxGrepLimit})
		if d := cmp.Diff(want, got.Matches); d != "" {
			t.Errorf("%s: %s", pattern, d)
		}
	}
}

func TestGrepLongLines(t *testing.T) {
	pad := strings.Repeat("é", 1000)
	w, _ := open(t, files{
		"f":    pad + "NEEDLE" + pad + "\nnext NEEDLE\n",
		"huge": strings.Repeat("x", 3*chunkBytes) + "\nafter NEEDLE\n" + strings.Repeat("y", chunkBytes) + "NEEDLE\n" + "NEEDLE",
	})
	got := run[grepResult](t, w, "grep", object{"pattern": "NEEDLE"}).Matches
	if len(got) != 4 {
		t.Fatalf("%d matches", len(got))
	}
	m := got[0].Text
	if !strings.HasPrefix(m, cutMark) || !strings.HasSuffix(m, cutMark) || !strings.Contains(m, "NEEDLE") || len(m) > maxLineBytes+2*len(cutMark) || strings.ContainsRune(m, '\uFFFD') {
		t.Errorf("a long line is shown as %q", m)
	}
	if got := grepLines(t, w, object{"pattern": `éé$`}); len(got) != 1 || !strings.HasPrefix(got[0], "f:1:") {
		t.Errorf("the end of a long line: %q", got)
	}
	// What lies beyond the chunk in one line is not searched; the lines still count.
	for i, line := range []int{1, 2, 2, 4} {
		if got[i].Line != line {
			t.Errorf("match %d is at line %d, want %d", i, got[i].Line, line)
		}
	}
}

func TestGrepLimitKeepsTheFirst(t *testing.T) {
	tree := files{}
	for i := range 200 {
		tree[fmt.Sprintf("d%d/f%03d", i%7, i)] = strings.Repeat("match\n", 1+i%5)
	}
	w, _ := open(t, tree)
	all := grepLines(t, w, object{"pattern": "match", "limit": maxGrepLimit})
	if len(all) != 600 {
		t.Fatalf("%d matches in all", len(all))
	}
	for _, limit := range []int{1, 7, 100, 599, 600} {
		var first *grepResult
		for range 5 {
			got := run[grepResult](t, w, "grep", object{"pattern": "match", "limit": limit, "contextLines": 1})
			if got.Truncated != (limit < 600) {
				t.Errorf("limit %d: truncated is %v", limit, got.Truncated)
			}
			for i, m := range got.Matches {
				if s := fmt.Sprintf("%s:%d:%s", m.Path, m.Line, m.Text); s != all[i] {
					t.Fatalf("limit %d: match %d is %s, want %s", limit, i, s, all[i])
				}
			}
			if first == nil {
				first = got
			}
			if d := cmp.Diff(first, got); len(got.Matches) != limit || d != "" {
				t.Fatalf("limit %d: not the same answer twice: %s", limit, d)
			}
		}
	}
}

func TestGrepBoundsItsText(t *testing.T) {
	line := strings.Repeat("m", maxLineBytes) + "\n"
	tree := files{}
	for i := range 10 {
		tree[fmt.Sprintf("f%d", i)] = strings.Repeat(line, 400)
	}
	w, _ := open(t, tree)
	raw, err := invoke(context.Background(), t, w, "grep", object{"pattern": "^m", "limit": maxGrepLimit, "contextLines": maxContextLines})
	must(t, err)
	if len(raw) > 2*maxGrepBytes {
		t.Errorf("the answer is %d bytes", len(raw))
	}
}

func TestLiteralsAreRequired(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		fold    bool
		want    string
	}{
		{"foobar", false, "foobar"}, {"foo.*barbaz", false, "barbaz"}, {"(abc)+d", false, "abc"}, {"a*", false, ""}, {"(abc)?", false, ""},
		{"x{2,3}long", false, "long"}, {"foo|bar", false, "foo,bar"}, {"foo|b*", false, ""}, {"Class", true, "cla"}, {"kks", true, ""}, {`\w+`, false, ""},
		{"^import (a|b)", false, "import "}, {"(?i)Foo|Bar", false, "foo,bar"}, {"é", true, ""}, {"é", false, "é"}, {"", false, ""},
	} {
		p, err := parsePattern(tt.pattern, tt.fold)
		if tt.pattern == "" {
			continue
		}
		must(t, err)
		if got := string(bytes.Join(p.lits, []byte(","))); got != tt.want {
			t.Errorf("%q needs %q, want %q", tt.pattern, got, tt.want)
		}
	}
}

// Whatever the pattern and the text, the prefilter finds what the regexp does.
func FuzzPattern(f *testing.F) {
	for _, p := range []string{"a", "foo|bar", "^x*$", "(?i)kS", "a.b", `\bfoo\b`, "(a|bc){2}", `[^a]\n?`, "é+", "$"} {
		f.Add(p, "foo\nbar\r\n\nKS \u212as\naxb", true)
		f.Add(p, "aa\nbcbc\n\xff\nfoo", false)
	}
	f.Fuzz(func(t *testing.T, expr, text string, fold bool) {
		p, err := parsePattern(expr, fold)
		if err != nil || len(text) > 1000 {
			return
		}
		s := scan{p: p, stopped: never}
		s.start([]byte(text), make([]byte, len(text)))
		var got, want []int
		for pos := 0; pos <= len(text); {
			from, to, _ := s.line(pos)
			if from < 0 {
				break
			}
			got, pos = append(got, from), to+1
		}
		at := 0
		for _, line := range strings.Split(text, "\n") {
			if p.re.MatchString(strings.TrimSuffix(line, "\r")) {
				want = append(want, at)
			}
			at += len(line) + 1
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("pattern %q, fold %v, text %q: %s", expr, fold, text, d)
		}
	})
}

func never() bool { return false }

// A line that does not match costs no allocation.
func TestNoAllocationPerLine(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	text := []byte(strings.Repeat("an ordinary line of text\n", 5000))
	low := make([]byte, len(text))
	for _, expr := range []string{"needle", "need|hay", `\d+`, `ordinary.*needle`} {
		p, err := parsePattern(expr, expr == "needle")
		must(t, err)
		s := scan{p: p, stopped: never}
		s.start(text, low)
		if n := testing.AllocsPerRun(3, func() { s.start(text, low); s.line(0) }); n > 2 {
			t.Errorf("%q: %v allocations for 5000 lines", expr, n)
		}
	}
}

// bigTree makes 20,000 files in 400 folders.
func bigTree(t testing.TB) (*Workspace, int) {
	t.Helper()
	w, root := open(t, files{".gitignore": "*.log\nnode_modules/\n/dist\n"})
	const n = 20_000
	body := strings.Repeat("func handler(w http.ResponseWriter, r *http.Request) { return }\n", 60)
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("pkg%02d", i%20), fmt.Sprintf("sub%02d", i/20%20))
		if i < 400 {
			must(t, os.MkdirAll(dir, 0o755))
		}
		text := body
		if i%1000 == 0 {
			text += "the Needle is here\n"
		}
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%05d.go", i)), []byte(text), 0o644))
	}
	return w, n
}

func TestTwentyThousandFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 20,000 files")
	}
	w, n := bigTree(t)
	for _, args := range []object{
		{"pattern": "Needle"}, {"pattern": "needle", "ignoreCase": true}, {"pattern": `N\w+e is`}, {"pattern": `^\w+ [A-Z]\w+ [a-z]+ [a-z]+$`},
	} {
		start := time.Now()
		got := run[grepResult](t, w, "grep", args)
		t.Logf("grep %v: %v", args, time.Since(start).Round(time.Millisecond))
		if len(got.Matches) != n/1000 || got.FilesSearched != n+1 {
			t.Errorf("grep %v: %d matches in %d files", args, len(got.Matches), got.FilesSearched)
		}
	}
	start := time.Now()
	got := run[globResult](t, w, "glob", object{"pattern": "**/*000.go"})
	t.Logf("glob: %v", time.Since(start).Round(time.Millisecond))
	if len(got.Paths) != n/1000 {
		t.Errorf("glob: %d paths", len(got.Paths))
	}

	t.Run("fifty at once", func(t *testing.T) {
		var group sync.WaitGroup
		start := time.Now()
		for range 50 {
			group.Go(func() {
				if raw, err := invoke(context.Background(), t, w, "grep", object{"pattern": "Needle", "path": "pkg00"}); err != nil || !json.Valid(raw) {
					t.Error(err)
				}
			})
		}
		group.Wait()
		t.Logf("fifty greps of %d files: %v", n/20, time.Since(start).Round(time.Millisecond))
	})
	t.Run("stopped", func(t *testing.T) {
		for _, after := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
			for tool, pattern := range map[string]string{"grep": `x\w+y\d+z`, "glob": "**/*.none"} {
				ctx, cancel := context.WithTimeout(context.Background(), after)
				_, err := invoke(ctx, t, w, tool, object{"pattern": pattern})
				cancel()
				if err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s stopped after %v: %v", tool, after, err)
				}
			}
		}
		if len(w.tokens) != 0 {
			t.Errorf("%d tokens are still held", len(w.tokens))
		}
	})
}

// endless is a file without end, whose caller goes away after some reads.
type endless struct {
	reads  int
	cancel func()
}

func (e *endless) Read(b []byte) (int, error) {
	if e.reads--; e.reads == 0 {
		e.cancel()
	}
	return copy(b, bytes.Repeat([]byte("no match here\n"), len(b)/14+1)), nil
}

func TestGrepStopsWithinOneFile(t *testing.T) {
	p, err := parsePattern(`[xyz]\d`, false)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	s := &searcher{scan: scan{p: p}, limit: 1, buf: new(buffers)}
	if err := s.file(ctx, &endless{reads: 5, cancel: cancel}); !errors.Is(err, context.Canceled) {
		t.Errorf("the search ended with %v", err)
	}
}

// The dearest pattern on the longest line there is must not hold a caller that
// has gone away.
func TestGrepStopsWithinOneLine(t *testing.T) {
	p, err := parsePattern(`(\w?[a-z]?){300}[01]$`, false)
	must(t, err)
	text := bytes.Repeat([]byte("z"), chunkBytes)
	asked := 0
	s := scan{p: p, stopped: func() bool { asked++; return asked > 1 }}
	s.start(text, nil)
	if from, _, _ := s.line(0); from != -1 {
		t.Error("it matched")
	}
	if asked > 3 { // in the line, and after it
		t.Errorf("the search looked %d times whether to stop", asked)
	}
}
