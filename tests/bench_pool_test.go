//go:build bench

package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"codemode-mcp/internal/sandbox"
	"codemode-mcp/internal/sandbox/wire"
)

// echo answers every call with its own arguments, at once.
type echo struct{}

func (echo) Call(_ bool, _ string, args json.RawMessage, reply func(bool, json.RawMessage)) {
	reply(true, args)
}
func (echo) Log(string, string)   {}
func (echo) Emit(json.RawMessage) {}
func (echo) Ask(_ string, _ json.RawMessage, reply func(bool, json.RawMessage)) {
	reply(true, json.RawMessage("{}"))
}

func benchPool() *sandbox.Pool {
	p := sandbox.NewPool(sandbox.Options{Command: []string{binary, "worker"}, MemoryMB: 64, MaxWorkers: 16, Warm: 2, QueueWait: 10 * time.Second})
	p.Open()
	return p
}

func runIn(t *testing.T, p *sandbox.Pool, owner, script string) {
	out := p.Run(context.Background(), owner, sandbox.Job{
		Script: script, Timeout: 10 * time.Second,
		Names: sandbox.Names{Key: "1", JSON: []byte(`[{"server":"s","tools":["echo"]}]`)},
		Meta:  wire.Meta{MaxArgs: 1 << 20, MaxResult: 1 << 20, MaxLog: 1 << 16},
	}, echo{})
	if out.End != sandbox.Returned {
		t.Errorf("%+v", out)
	}
}

// TestBenchPool measures the sandbox alone: no MCP, no dispatcher.
func TestBenchPool(t *testing.T) {
	p := benchPool()
	run := func(script string) { runIn(t, p, "bench", script) }
	report("pool: return 1, every 20 ms", measure(200, 20*time.Millisecond, func() { run("return 1") }))
	report("pool: 1 call, every 20 ms", measure(100, 20*time.Millisecond, func() { run("return await tools.echo({n: 1})") }))
	report("pool: 50 sequential calls", measure(100, 20*time.Millisecond, func() {
		run("let n = 0; for (let i = 0; i < 50; i++) n += (await tools.echo({n: i})).n; return n")
	}))
	report("pool: 50 parallel calls", measure(100, 20*time.Millisecond, func() {
		run("const r = await Promise.all(Array.from({length: 50}, (_, i) => tools.echo({n: i}))); return r.length")
	}))

	p.Close()

	program := engineProgram(t)
	floor := engineRate(t, program, "Floor")
	one, oneHost, oneWorkers := saturatePool(t, 1)
	twenty, twentyHost, twentyWorkers := saturatePool(t, 20)
	line("floor: isolate, 2 contexts (as v8go), all cores", "%.0f/s", floor)
	line("engine: isolate of the snapshot, all cores", "%.0f/s", engineRate(t, program, "Snapshot"))
	line("pool: 8 callers of one principal", "%.0f/s, %.0f%% of the floor", one, 100*one/floor)
	line("pool: 8 callers, 20 principals in turn", "%.0f/s, %.0f%% of the floor", twenty, 100*twenty/floor)
	line("cpu of a run: one principal", "host %.0f us, workers %.0f us", oneHost, oneWorkers)
	line("cpu of a run: 20 principals", "host %.0f us, workers %.0f us", twentyHost, twentyWorkers)

	// A thread's own CPU time says on a busy machine, too, what the clock says on an
	// idle one.
	for _, b := range []struct{ name, bench string }{
		{"cpu: floor, isolate and 2 contexts", "Floor"}, {"cpu: isolate of the snapshot", "Snapshot"},
		{"cpu: the same, linked and warm", "Isolate"}, {"cpu: the same, with return 1", "Cycle"},
	} {
		line(b.name, "%.0f us of one core", engineBench(t, program, b.bench, "1000x", "cpu-us/op"))
	}
	for _, b := range []struct{ name, bench string }{
		{"prepare: plain", "Prepare/plain"}, {"prepare: last expression", "Prepare/last-expression"},
		{"prepare: TypeScript, 2 KB", "Prepare/typescript"}, {"prepare: by acorn's tree", "Prepare/tree"},
	} {
		line(b.name, "p50 %.0f us", engineBench(t, program, b.bench, "200x", "p50-us"))
	}
}

// TestBenchReplace measures how long a run takes whose worker was killed just before:
// until a new one is up and has answered.
func TestBenchReplace(t *testing.T) {
	p := sandbox.NewPool(sandbox.Options{Command: []string{binary, "worker"}, MemoryMB: 64, MaxWorkers: 1, Warm: 1, QueueWait: 10 * time.Second})
	p.Open()
	defer p.Close()
	run := func() {
		job := sandbox.Job{Script: "return 1", Timeout: 10 * time.Second, Meta: wire.Meta{MaxArgs: 1 << 20, MaxResult: 1 << 20, MaxLog: 1 << 16}}
		if out := p.Run(context.Background(), "bench", job, echo{}); out.End != sandbox.Returned {
			t.Fatalf("%+v", out)
		}
	}
	run()
	report("pool: run after its worker was killed", measure(40, 20*time.Millisecond, func() {
		for _, pid := range children(t, os.Getpid()) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			for syscall.Kill(pid, 0) == nil { // until it is reaped
				time.Sleep(100 * time.Microsecond)
			}
		}
		run()
	}))
}

// saturatePool runs from eight callers as some principals in turn. It gives the runs a
// second, and what one takes of CPU here and in the workers, in microseconds.
func saturatePool(t *testing.T, principals int) (perSecond, host, workers float64) {
	usage := func(who int) float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			t.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e3
	}
	self, children := usage(syscall.RUSAGE_SELF), usage(syscall.RUSAGE_CHILDREN)
	p := benchPool()
	perSecond, n := rate(func(n int) { runIn(t, p, fmt.Sprintf("principal %d", n%principals), "return 1") })
	p.Close() // reaps every worker: what they used counts from then on
	return perSecond, (usage(syscall.RUSAGE_SELF) - self) / n, (usage(syscall.RUSAGE_CHILDREN) - children) / n
}

// rate calls f from eight callers for some seconds. It gives the calls a second, and
// how many there were.
func rate(f func(n int)) (perSecond, calls float64) {
	const callers, seconds = 8, 4
	var n atomic.Int64
	var wg sync.WaitGroup
	end := time.Now().Add(seconds * time.Second)
	for range callers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for time.Now().Before(end) {
				f(int(n.Add(1)))
			}
		}()
	}
	wg.Wait()
	return float64(n.Load()) / seconds, float64(n.Load())
}

// engineProgram builds the benchmarks of the worker's package: they run V8.
func engineProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "worker.test")
	if out, err := exec.Command("go", "test", "-c", "-o", program, "codemode-mcp/internal/sandbox/worker").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// engineRate is how many rounds of a benchmark the machine makes in a second, in one
// process for each core.
func engineRate(t *testing.T, program, bench string) float64 {
	t.Helper()
	results := make(chan float64)
	for range runtime.NumCPU() {
		go func() { results <- 1e9 / engineBench(t, program, bench, "2s", "ns/op") }()
	}
	sum := 0.0
	for range runtime.NumCPU() {
		sum += <-results
	}
	return sum
}

// engineBench gives a figure of one benchmark, in a process of its own.
func engineBench(t *testing.T, program, bench, long, metric string) float64 {
	name := "^Benchmark" + strings.ReplaceAll(bench, "/", "$/^") + "$"
	out, err := exec.Command(program, "-test.run=^$", "-test.bench="+name, "-test.benchtime="+long).CombinedOutput()
	m := regexp.MustCompile(`([\d.]+) ` + metric).FindSubmatch(out)
	if err != nil || m == nil {
		t.Errorf("%s: %v\n%s", bench, err, out)
		return 0
	}
	f, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		t.Error(err)
	}
	return f
}
