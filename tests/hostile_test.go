package tests

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	// hostileNoise is what the way to the server, and this test itself, may add to an
	// answer on a quiet machine.
	hostileNoise = 100 * time.Millisecond
	// bystanderPause is how often the well-behaved script runs.
	bystanderPause = 100 * time.Millisecond
	// bystanderBound is the longest that it may take while attacks go on: it shares
	// two cores with the attack and V8's threads. On a busy machine, times its pace.
	bystanderBound = 2 * time.Second
	// workerPeakMB bounds a worker's resident memory above the script's limit, and
	// serverPeakMB the server's: neither grows with what a script tries to take.
	workerPeakMB = 160
	serverPeakMB = 400
	// minHostile is how many attacks there are at least.
	minHostile = 120
)

// hostileGroup is a folder of tests/hostile and how its server is configured.
type hostileGroup struct {
	name     string
	deadline time.Duration
	memoryMB int
	env      []string
}

// hostileGroups say the deadlines for a quiet machine; see machinePace. What attacks
// memory gets the time that filling it takes, what attacks frames the room for large
// ones, all else ends soon.
var hostileGroups = []hostileGroup{
	{name: "time", deadline: time.Second, memoryMB: 64},
	{name: "parser", deadline: 2 * time.Second, memoryMB: 64},
	{name: "escape", deadline: time.Second, memoryMB: 64},
	{name: "forge", deadline: time.Second, memoryMB: 64},
	{name: "concurrency", deadline: time.Second, memoryMB: 64},
	{name: "memory", deadline: 5 * time.Second, memoryMB: 64},
	{name: "wire", deadline: 5 * time.Second, memoryMB: 512,
		env: []string{"CODE_MODE_MAX_ARGS_KB=16384", "CODE_MODE_MAX_RESULT_CHARS=1000000", "CODE_MODE_MAX_LOG_KB=1024"}},
}

// TestHostile runs every script under tests/hostile in one server for each group,
// while a well-behaved script runs beside it. Each attack must end as its header
// says and in time, the server must live, and the next run must work.
func TestHostile(t *testing.T) {
	var sum hostileSummary
	for _, g := range hostileGroups {
		t.Run(g.name, func(t *testing.T) { runHostile(t, g, &sum) })
	}
	if sum.total < minHostile && !testing.Short() {
		t.Errorf("%d hostile scripts ran, want at least %d", sum.total, minHostile)
	}
	if testing.Verbose() {
		fmt.Printf("%d of %d ended as expected, %d server restarts, %d failures of the bystander in %d runs, slowest bystander run %d ms, peak resident: worker %d MB, server %d MB\n",
			sum.asExpected, sum.total, sum.restarts, sum.failures, sum.runs, sum.slowest.Milliseconds(), sum.workerMB, sum.serverMB)
	}
}

type hostileSummary struct {
	total, asExpected, restarts int
	runs, failures              int // of the bystander
	slowest                     time.Duration
	workerMB, serverMB          int
}

func runHostile(t *testing.T, g hostileGroup, sum *hostileSummary) {
	scripts := loadHostile(t, g.name)
	pace := machinePace()
	dir := workspaceOf(t, map[string]string{"a.txt": "hello\n", "big.txt": strings.Repeat("0123456789abcdef\n", 8000)})
	start := func(pace int) *client {
		env := append([]string{
			fmt.Sprintf("CODE_MODE_TIMEOUT_SECONDS=%d", pace*int(g.deadline.Seconds())),
			fmt.Sprintf("CODE_MODE_MAX_MEMORY_MB=%d", g.memoryMB),
			"CODE_MODE_MAX_SCRIPT_KB=4096",
		}, g.env...)
		c := startClient(t, env, "serve", "--workspace", dir, "--writable", "--log-level", "error")
		c.mustRun("return 1", "1")
		return c
	}
	c := start(pace)
	by := startBystander(c)
	watch := watchMemory(c.cmd.Process.Pid)
	for _, s := range scripts {
		watch.reset()
		try := func(c *client, pace int) (env envelope, took time.Duration, err error) {
			began := time.Now()
			if env, err = c.attempt(s.script); err == nil {
				took = time.Since(began)
				err = s.verdict(env, took, time.Duration(pace)*g.deadline, time.Duration(pace)*hostileNoise)
			}
			return env, took, err
		}
		env, took, err := try(c, pace)
		if err != nil {
			// A deadline is too short when the machine has become busier.
			if now := machinePace(); now > pace {
				t.Logf("%s: once more, in a new server: %v", s.name, err)
				other := start(now)
				env, took, err = try(other, now)
				other.close()
			}
		}
		if _, next := c.attempt("return 6 * 7"); next != nil {
			err = errors.Join(err, fmt.Errorf("the next run: %w", next))
		}
		worker, server := watch.peak()
		if worker > g.memoryMB+workerPeakMB {
			err = errors.Join(err, fmt.Errorf("a worker held %d MB", worker))
		}
		if server > serverPeakMB {
			err = errors.Join(err, fmt.Errorf("the server held %d MB", server))
		}
		sum.total++
		sum.workerMB, sum.serverMB = max(sum.workerMB, worker), max(sum.serverMB, server)
		mark := "ok  "
		if err == nil {
			sum.asExpected++
		} else {
			mark = "FAIL"
			t.Errorf("%s (attack: %s): %v", s.name, s.attack, err)
		}
		if testing.Verbose() {
			fmt.Printf("%s %-44s %-24s %6d ms %5d MB\n", mark, s.name, ended(env), took.Milliseconds(), worker)
		}
		if c.ended() {
			sum.restarts++
			by.stop()
			watch.stop()
			c = start(pace)
			by, watch = by.again(c), watchMemory(c.cmd.Process.Pid)
		}
	}
	by.stop()
	watch.stop()
	sum.runs += by.runs
	sum.failures += len(by.failures)
	sum.slowest = max(sum.slowest, by.slowest)
	for _, f := range by.failures {
		t.Errorf("the bystander failed: %v", f)
	}
	if bound := bystanderBound * time.Duration(max(pace, machinePace())); by.slowest > bound {
		t.Errorf("the bystander took %v, at most %v is allowed", by.slowest, bound)
	}
}

// ended is an envelope's end in a word: the kind of its failure, or "value".
func ended(env envelope) string {
	switch {
	case env.Kind != "":
		return env.Kind
	case len(env.Result) > 0:
		return "value"
	}
	return "no envelope"
}

// ended reports whether the server has ended.
func (c *client) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// bystander is a user who does nothing wrong: a short script with one tool call,
// again and again.
type bystander struct {
	quit     chan struct{}
	wg       sync.WaitGroup
	runs     int
	slowest  time.Duration
	failures []error
}

const bystanderScript = `const file = await tools.read_file({path: "a.txt"});
return file.content + [3, 1, 2].sort().join("") + JSON.stringify({a: [null]})`

const bystanderResult = `"hello\n123{\"a\":[null]}"`

func startBystander(c *client) *bystander { return (&bystander{}).again(c) }

// again goes on with another server. The figures add up.
func (b *bystander) again(c *client) *bystander {
	b.quit = make(chan struct{})
	b.wg.Add(1)
	go func() {
		defer b.wg.Done()
		tick := time.NewTicker(bystanderPause)
		defer tick.Stop()
		for {
			select {
			case <-b.quit:
				return
			case <-tick.C:
			}
			start := time.Now()
			env, err := c.attempt(bystanderScript)
			if err == nil && string(env.Result) != bystanderResult {
				err = fmt.Errorf("%s: %s, result %s", ended(env), env.Message, env.Result)
			}
			b.runs++
			b.slowest = max(b.slowest, time.Since(start))
			if err != nil {
				b.failures = append(b.failures, err)
			}
		}
	}()
	return b
}

func (b *bystander) stop() {
	close(b.quit)
	b.wg.Wait()
}

// TestHostileHeaders holds the corpus to its form: every group has scripts, every
// script a header, and no two are the same.
func TestHostileHeaders(t *testing.T) {
	known := map[string]bool{}
	bodies := map[string]string{}
	total := 0
	for _, g := range hostileGroups {
		known[g.name] = true
		for _, s := range loadHostile(t, g.name) {
			total++
			if other, ok := bodies[s.script]; ok {
				t.Errorf("%s and %s are the same script", s.name, other)
			}
			bodies[s.script] = s.name
		}
	}
	if total < minHostile {
		t.Errorf("there are %d hostile scripts, want at least %d", total, minHostile)
	}
	dirs, err := os.ReadDir("hostile")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if d.IsDir() && !known[d.Name()] {
			t.Errorf("%s is run by no group", filepath.Join("hostile", d.Name()))
		}
	}
}
