//go:build bench

package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
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

// TestBenchPool measures the sandbox alone: no MCP, no dispatcher.
func TestBenchPool(t *testing.T) {
	p := sandbox.NewPool(sandbox.Options{Command: []string{binary, "worker"}, MemoryMB: 64, MaxWorkers: 16, Warm: 2, QueueWait: 10 * time.Second})
	p.Open()
	defer p.Close()
	runAs := func(owner, script string) sandbox.Outcome {
		out := p.Run(context.Background(), owner, sandbox.Job{
			Script: script, Timeout: 10 * time.Second,
			Names: sandbox.Names{Key: "1", JSON: []byte(`[{"server":"s","tools":["echo"]}]`)},
			Meta:  wire.Meta{MaxArgs: 1 << 20, MaxResult: 1 << 20, MaxLog: 1 << 16},
		}, echo{})
		if out.End != sandbox.Returned {
			t.Fatalf("%+v", out)
		}
		return out
	}
	run := func(script string) sandbox.Outcome { return runAs("bench", script) }
	report("pool: return 1, every 20 ms", measure(200, 20*time.Millisecond, func() { run("return 1") }))
	report("pool: 1 call, every 20 ms", measure(100, 20*time.Millisecond, func() { run("return await tools.echo({n: 1})") }))
	report("pool: 50 sequential calls", measure(100, 20*time.Millisecond, func() {
		run("let n = 0; for (let i = 0; i < 50; i++) n += (await tools.echo({n: i})).n; return n")
	}))
	report("pool: 50 parallel calls", measure(100, 20*time.Millisecond, func() {
		run("const r = await Promise.all(Array.from({length: 50}, (_, i) => tools.echo({n: i}))); return r.length")
	}))

	floor := engineFloor(t)
	one := rate(func(int) { run("return 1") })
	twenty := rate(func(n int) { runAs(fmt.Sprintf("principal %d", n%20), "return 1") })
	fmt.Printf("%-38s %.0f/s\n", "floor: isolate and context, all cores", floor)
	fmt.Printf("%-38s %.0f/s, %.0f%% of the floor\n", "pool: 8 callers of one principal", one, 100*one/floor)
	fmt.Printf("%-38s %.0f/s, %.0f%% of the floor\n", "pool: 8 callers, 20 principals in turn", twenty, 100*twenty/floor)
}

// rate calls f from eight callers for some seconds and gives the calls a second.
func rate(f func(n int)) float64 {
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
	return float64(n.Load()) / seconds
}

// engineFloor is how many isolates with a context the machine makes and disposes
// in a second, in one process for each core: no run can be cheaper.
func engineFloor(t *testing.T) float64 {
	t.Helper()
	program := filepath.Join(t.TempDir(), "worker.test")
	if out, err := exec.Command("go", "test", "-c", "-o", program, "codemode-mcp/internal/sandbox/worker").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	results := make(chan float64)
	for range runtime.NumCPU() {
		go func() {
			out, err := exec.Command(program, "-test.run=^$", "-test.bench=^BenchmarkFloor$", "-test.benchtime=2s").CombinedOutput()
			m := regexp.MustCompile(`(\d+) ns/op`).FindSubmatch(out)
			if err != nil || m == nil {
				t.Errorf("%v\n%s", err, out)
				results <- 0
				return
			}
			ns, _ := strconv.ParseFloat(string(m[1]), 64)
			results <- 1e9 / ns
		}()
	}
	sum := 0.0
	for range runtime.NumCPU() {
		sum += <-results
	}
	return sum
}
