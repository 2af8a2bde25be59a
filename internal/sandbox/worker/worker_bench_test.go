package worker

import (
	"bytes"
	"os"
	"runtime"
	"sync"
	"testing"

	v8 "github.com/tommie/v8go"

	"codemode-mcp/internal/sandbox/wire"
)

// harness is a worker whose frames go nowhere.
func harness(b testing.TB) *worker {
	b.Helper()
	runtime.LockOSThread()
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
	for b.Loop() {
		r, err := w.newRunner()
		if err != nil {
			b.Fatal(err)
		}
		w.current.clear()
		r.close()
	}
}

// BenchmarkFloor is the same without anything of ours: the engine's own cost.
func BenchmarkFloor(b *testing.B) {
	harness(b)
	for b.Loop() {
		iso := v8.NewIsolate(v8.WithResourceConstraints(0, 64<<20))
		ctx := v8.NewContext(iso)
		ctx.Close()
		iso.Dispose()
	}
}

// BenchmarkRun is one script in an isolate that waits for it.
func BenchmarkRun(b *testing.B) {
	w := harness(b)
	frame := func(script string) wire.Frame {
		raw := wire.Append(nil, wire.Run, 0, []byte(`{"maxArgs":1000000,"maxResult":1000000,"maxLog":65536}`), []byte(script), []byte("{}"), nil)
		return wire.Frame{Kind: wire.Run, Body: raw[9:]}
	}
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
				if err := r.run(frame(script)); err != nil {
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
	raw := wire.Append(nil, wire.Run, 0, []byte(`{"maxArgs":1000000,"maxResult":1000000,"maxLog":65536}`), []byte(script), []byte("{}"), []byte(`[{"server":"a","tools":["b"]}]`))
	for b.Loop() {
		b.StopTimer()
		w.reader = wire.NewReader(bytes.NewReader(answers), wire.MaxFrame)
		r, err := w.newRunner()
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := r.run(wire.Frame{Kind: wire.Run, Body: raw[9:]}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		w.current.clear()
		r.close()
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*calls), "ns/call")
}
