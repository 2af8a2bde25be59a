package worker

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	v8 "github.com/tommie/v8go"
	"golang.org/x/sys/unix"

	"codemode-mcp/internal/sandbox/wire"
)

// harness is a worker whose frames go nowhere.
func harness(b testing.TB) *worker {
	b.Helper()
	runtime.LockOSThread()
	useGetrandom()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { null.Close() })
	v8.SetFlags(v8Flags...)
	w := newWorker(null, 64)
	// As in a worker: one snapshot for the life of the process, and one isolate that
	// is always there.
	onceImage.Do(func() {
		if testImage.err = w.loadImage(nil); testImage.err == nil {
			testImage.prelude, testImage.parts = w.prelude, w.parts
			testImage.keeper = v8.NewIsolate(v8.WithResourceConstraints(0, keeperHeap))
		}
	})
	if testImage.err != nil {
		b.Fatal(testImage.err)
	}
	w.prelude, w.parts = testImage.prelude, testImage.parts
	return w
}

var (
	onceImage sync.Once
	testImage struct {
		prelude prelude
		parts   parts
		keeper  *v8.Isolate
		err     error
	}
)

// BenchmarkIsolate is what lies between two runs: a context with the prelude,
// made and disposed.
func BenchmarkIsolate(b *testing.B) {
	w := harness(b)
	l := startLaps(b)
	for b.Loop() {
		r, err := w.newRunner()
		if err != nil {
			b.Fatal(err)
		}
		w.current.clear()
		r.close()
		l.lap()
	}
	l.report()
}

// BenchmarkCycle is one run with all that it costs a worker.
func BenchmarkCycle(b *testing.B) {
	w := harness(b)
	f := runFrame("return 1", "")
	l := startLaps(b)
	for b.Loop() {
		r, err := w.newRunner()
		if err != nil {
			b.Fatal(err)
		}
		if err := r.run(f); err != nil {
			b.Fatal(err)
		}
		w.current.clear()
		r.close()
		l.lap()
	}
	l.report()
}

// runFrame is a Run frame with generous bounds.
func runFrame(script, names string) wire.Frame {
	raw := wire.Append(nil, wire.Run, 0, []byte(`{"maxArgs":1000000,"maxResult":1000000,"maxLog":65536}`), []byte(script), []byte("{}"), []byte(names))
	return wire.Frame{Kind: wire.Run, Body: raw[9:]}
}

// BenchmarkFloor is the same through v8go alone, without anything of ours: the two
// contexts it makes, out of V8's own snapshot. It must be the only one of its process.
func BenchmarkFloor(b *testing.B) {
	runtime.LockOSThread()
	v8.SetFlags(v8Flags...)
	defer v8.NewIsolate(v8.WithResourceConstraints(0, keeperHeap)).Dispose()
	benchIsolates(b)
}

// BenchmarkSnapshot is an isolate out of our snapshot with its one context, which
// the prelude is in already.
func BenchmarkSnapshot(b *testing.B) {
	harness(b)
	benchIsolates(b)
}

func benchIsolates(b *testing.B) {
	l := startLaps(b)
	for b.Loop() {
		iso := v8.NewIsolate(v8.WithResourceConstraints(0, 64<<20))
		ctx := v8.NewContext(iso)
		ctx.Close()
		iso.Dispose()
		l.lap()
	}
	l.report()
}

// laps measures what each round of a benchmark takes of this thread's CPU. On a busy
// machine the tenth percentile of it stays the same where the clock does not.
type laps struct {
	b     *testing.B
	last  time.Duration
	taken []time.Duration
}

func startLaps(b *testing.B) *laps {
	runtime.LockOSThread()
	return &laps{b: b, last: threadCPU(b)}
}

func (l *laps) lap() {
	now := threadCPU(l.b)
	l.taken = append(l.taken, now-l.last)
	l.last = now
}

func (l *laps) report() {
	slices.Sort(l.taken)
	l.b.ReportMetric(float64(l.taken[len(l.taken)/10].Microseconds()), "cpu-us/op")
}

func threadCPU(b *testing.B) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		b.Fatal(err)
	}
	return time.Duration(ts.Nano())
}

// BenchmarkRun is one script in an isolate that waits for it.
func BenchmarkRun(b *testing.B) {
	w := harness(b)
	for name, script := range map[string]string{
		"return":     "return 1",
		"transform":  "const a = [1, 2, 3].map((x) => ({x})); return {a, n: a.length}",
		"one log":    "console.log('x', {a: 1}); return 1",
		"an error":   "throw new Error('x')",
		"bad syntax": "return (",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				r, err := w.newRunner()
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if err := r.run(runFrame(script, "")); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				w.current.clear()
				r.close()
				b.StartTimer()
			}
		})
	}
}

// BenchmarkCalls is the worker's side of a hundred calls, one after another: the
// answers are there already.
func BenchmarkCalls(b *testing.B) {
	const calls = 100
	w := harness(b)
	var answers []byte
	for id := uint32(1); id <= calls; id++ {
		answers = wire.Append(answers, wire.Reply, id, []byte("ok"), []byte(`{"n":1}`))
	}
	script := "let n = 0; for (let i = 0; i < 100; i++) n += (await tools.a.b({n: i})).n; return n"
	f := runFrame(script, `[{"server":"a","tools":["b"]}]`)
	for b.Loop() {
		b.StopTimer()
		w.reader = wire.NewReader(bytes.NewReader(answers), wire.MaxFrame)
		r, err := w.newRunner()
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := r.run(f); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		w.current.clear()
		r.close()
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*calls), "ns/call")
}
