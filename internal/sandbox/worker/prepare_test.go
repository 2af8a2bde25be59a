package worker

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"codemode-mcp/internal/script"
)

// rejectionScripts are programs and what is left unhandled in them.
var rejectionScripts = []struct{ source, want string }{
	{"Promise.reject(new TypeError('lost'))", "[TypeError: lost (at script.js:1:1)]"},
	{"(async () => { throw 1 })()", "[1 (at script.js:1:1)]"},
	{"Promise.reject(new Error('x')).catch(() => {})", "[]"},
	{"const p = Promise.reject(new Error('late')); p.catch(() => {})", "[]"},
	{"Promise.reject({ toString() { throw 1 } })", "[[object Object] (at script.js:1:1)]"},
}

// The hook calls V8 by the names and the shapes of one version: an update of v8go
// that changes them fails here.
func TestRejections(t *testing.T) {
	w := harness(t)
	for _, tt := range rejectionScripts {
		r, err := w.newRunner()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.ctx.RunScript(tt.source, script.Origin); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.rejections()); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.source, got, tt.want)
		}
		w.current.clear()
		r.close()
	}
}

// What the scanner claims of a source, acorn's tree says too: a certain return is
// one, and what is returned as the last expression is the last statement.
func TestScannerAgreesWithTheTree(t *testing.T) {
	w := harness(t)
	r, err := w.newRunner()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { w.current.clear(); r.close() }()
	e := &engine{r: r}
	files, err := filepath.Glob("../../../tests/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	n := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			source := string(f.Data)
			if f.Name == "want" || strings.HasSuffix(f.Name, "(quoted)") || strings.HasPrefix(source, "```") {
				continue
			}
			p, failure := script.Prepare(source, e)
			if failure != nil {
				continue
			}
			text, err := e.Outline(source)
			if err != nil {
				t.Fatal(err)
			}
			var o struct {
				Form  string `json:"form"`
				Error string `json:"error"`
				Call  bool   `json:"call"`
			}
			if err := json.Unmarshal([]byte(text), &o); err != nil {
				t.Fatal(err)
			}
			if o.Error != "" { // TypeScript, Markdown
				continue
			}
			n++
			if plain := o.Form == "plain"; p.Call != o.Call || plain && p.Note != "" {
				t.Errorf("%s: %q: prepared as call=%v note=%q, the tree says %s", file, source, p.Call, p.Note, text)
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d scripts were compared", n)
	}
}

// plainBody is a program of about 2 KB.
var plainBody = strings.Repeat(`
for (const name of ["a", "b"]) {
  const found = items.filter((item) => item.name === name && /x[/}]y/.test(item.path));
  if (found.length > 0) { total += found.reduce((sum, item) => sum + item.size / 2, 0); }
  console.log(`+"`${name}: ${found.length}`"+`);
}`, 7)

var (
	plainScript = "const items = []; let total = 0;\n" + plainBody + "\nreturn total;\n"
	lastScript  = "const items = []; let total = 0;\n" + plainBody + "\ntotal\n"
	typedScript = "interface Item { name: string; path: string; size: number }\nconst items: Item[] = []; let total: number = 0;\n" + plainBody + "\nreturn total as number;\n"
)

// BenchmarkPrepare measures what preparing a 2 KB script costs in a warm worker,
// V8's compilation included. Each script gets a fresh isolate, made outside the
// measured time.
func BenchmarkPrepare(b *testing.B) {
	for _, bm := range []struct{ name, source string }{
		{"plain", plainScript}, {"last-expression", lastScript}, {"typescript", typedScript}, {"tree", "export default async () => {" + plainScript + "}"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // as in a worker
			w := harness(b)
			times := make([]time.Duration, 0, b.N)
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				r, err := w.newRunner()
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				start := time.Now()
				prepare(b, r, bm.source)
				times = append(times, time.Since(start))
				b.StopTimer()
				w.current.clear()
				r.close()
				b.StartTimer()
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-us")
		})
	}
}

func prepare(t testing.TB, r *runner, source string) script.Prepared {
	t.Helper()
	p, failure := script.Prepare(source, &engine{r: r})
	if failure != nil {
		t.Fatal(failure.Message)
	}
	return p
}
