package worker

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	v8 "github.com/tommie/v8go"

	"codemode-mcp/internal/script"
)

func TestMain(m *testing.M) {
	v8.SetFlags(v8Flags...)
	os.Exit(m.Run())
}

// newTestRunner makes a runner outside a worker process: enough to prepare
// scripts.
func newTestRunner(t testing.TB) *runner {
	t.Helper()
	r, err := newWorker(nil, 64).newRunner()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	return r
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
		{"plain", plainScript}, {"last-expression", lastScript}, {"typescript", typedScript},
	} {
		b.Run(bm.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			warm := newTestRunner(b)
			prepare(b, warm, bm.source)
			times := make([]time.Duration, 0, b.N)
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				r, err := warm.w.newRunner()
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				start := time.Now()
				prepare(b, r, bm.source)
				times = append(times, time.Since(start))
				b.StopTimer()
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
