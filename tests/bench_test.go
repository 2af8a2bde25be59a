//go:build bench

package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestBench prints figures; it asserts nothing about time. Compare ratios within
// one run: machines differ, and so do hours.
func TestBench(t *testing.T) {
	dir := workspaceOf(t, map[string]string{"a.txt": "hello\n"})
	args := []string{"serve", "--workspace", dir, "--log-level", "error"}

	var cold []time.Duration
	for range 10 {
		start := time.Now()
		c := startClient(t, nil, args...)
		c.mustRun("return 1", "1")
		cold = append(cold, time.Since(start))
		c.close()
	}
	report("start to first result", cold)

	c := startClient(t, nil, args...)
	c.mustRun("return 1", "1")
	time.Sleep(time.Second)
	server, workers := memory(t, c.cmd.Process.Pid)
	line("resident, idle", "server %d MB, workers %v MB", server, workers)

	const direct = `{"name":"file_info","arguments":{"path":"a.txt"}}`
	report("direct tools/call", measure(500, 0, func() { c.request("tools/call", direct) }))
	report("direct tools/call, every 20 ms", measure(100, 20*time.Millisecond, func() { c.request("tools/call", direct) }))
	report("return 1, a call every 20 ms", measure(100, 20*time.Millisecond, func() { c.mustRun("return 1", "1") }))
	report("return 1, back to back", measure(200, 0, func() { c.mustRun("return 1", "1") }))
	const sequential = `let n = 0; for (let i = 0; i < 50; i++) n += (await tools.file_info({path: "a.txt"})).size; return n`
	const parallel = `const all = await Promise.all(Array.from({length: 50}, () => tools.file_info({path: "a.txt"}))); return all.length`
	report("50 sequential inner calls", measure(50, 20*time.Millisecond, func() { c.mustRun(sequential, "300") }))
	report("50 parallel inner calls", measure(50, 20*time.Millisecond, func() { c.mustRun(parallel, "50") }))
	report("1e7 loop", measure(5, 20*time.Millisecond, func() { c.run("let s=0; for (let i=0;i<1e7;i++) s+=i%7; return s") }))
	saturate(c, "8 clients of one principal, return 1")
	server, workers = memory(t, c.cmd.Process.Pid)
	line("resident, after load", "server %d MB, workers %v MB", server, workers)
}

// saturate runs the same script from eight callers for some seconds.
func saturate(c *client, name string) {
	const callers, seconds = 8, 4
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all []time.Duration
	end := time.Now().Add(seconds * time.Second)
	for range callers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for time.Now().Before(end) {
				start := time.Now()
				_, ch := c.send("tools/call", c.execute("return 1"))
				m := <-ch
				d := time.Since(start)
				if m.Error != nil || !strings.Contains(string(m.Result), `"result":1`) {
					panic("a run failed: " + string(m.Result))
				}
				mu.Lock()
				all = append(all, d)
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	report(name, all)
	line("", "%d/s", len(all)/seconds)
}

func measure(n int, pause time.Duration, f func()) []time.Duration {
	for range 5 {
		f()
		time.Sleep(pause)
	}
	var out []time.Duration
	for range n {
		start := time.Now()
		f()
		out = append(out, time.Since(start))
		time.Sleep(pause)
	}
	return out
}

// line prints a figure that is no distribution.
func line(name, format string, args ...any) {
	fmt.Printf("%-48s %s\n", name, fmt.Sprintf(format, args...))
}

func report(name string, d []time.Duration) {
	slices.Sort(d)
	p := func(q int) time.Duration { return d[min(len(d)-1, len(d)*q/100)].Round(time.Microsecond) }
	line(name, "p50 %10v   p99 %10v   n %d", p(50), p(99), len(d))
}

// memory gives the resident memory of the server and of each worker in MB.
func memory(t *testing.T, pid int) (server int, workers []int) {
	for _, child := range children(t, pid) {
		workers = append(workers, resident(child))
	}
	return resident(pid), workers
}

func resident(pid int) int {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	if err != nil {
		return 0
	}
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize() >> 20
}
