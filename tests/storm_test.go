package tests

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const (
	stormClients = 8
	stormRuns    = 1000
	stormPause   = 50 * time.Millisecond
	// stormBound is the longest that one run may take in the storm: it may find its
	// worker dead, then wait for a new one behind seven others.
	stormBound = 10 * time.Second
)

// stormScript takes long enough to be hit, and calls a tool in the middle.
const stormScript = `const spin = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };
spin(4);
const file = await tools.read_file({path: "a.txt"});
spin(4);
return file.content`

// While workers are killed at random, a run succeeds or says that its process
// died; none hangs, and in the end nothing is left.
func TestKillStorm(t *testing.T) {
	dir := workspaceOf(t, map[string]string{"a.txt": "hello\n"})
	// The dead are logged as warnings, a thousand of them: not here.
	c := startClient(t, nil, "serve", "--workspace", dir, "--log-level", "error")
	pid := c.cmd.Process.Pid
	c.mustRun("return 1", "1")
	processes, fds := settled(t, pid)

	quit := make(chan struct{})
	var killer, runs sync.WaitGroup
	var kills, crashed, failed atomic.Int64
	killer.Add(1)
	go func() {
		defer killer.Done()
		for {
			select {
			case <-quit:
				return
			case <-time.After(stormPause):
			}
			if workers := workersOf(pid); len(workers) > 0 {
				if syscall.Kill(workers[rand.IntN(len(workers))], syscall.SIGKILL) == nil {
					kills.Add(1)
				}
			}
		}
	}()
	var slowest atomic.Int64
	for range stormClients {
		runs.Add(1)
		go func() {
			defer runs.Done()
			for range stormRuns / stormClients {
				start := time.Now()
				env, err := c.attempt(stormScript)
				if took := time.Since(start).Milliseconds(); took > slowest.Load() {
					slowest.Store(took)
				}
				switch {
				case err != nil:
					t.Error(err)
				case env.Kind == "sandbox_crashed":
					crashed.Add(1)
				case env.Error != "" || string(env.Result) != `"hello\n"`:
					t.Errorf("a run ended as %s: %s %s", env.Kind, env.Message, env.Result)
				default:
					continue
				}
				failed.Add(1)
			}
		}()
	}
	runs.Wait()
	close(quit)
	killer.Wait()
	if kills.Load() == 0 || crashed.Load() == 0 {
		t.Errorf("%d workers were killed, %d runs crashed: the storm hit nobody", kills.Load(), crashed.Load())
	}
	if took := time.Duration(slowest.Load()) * time.Millisecond; took > stormBound {
		t.Errorf("a run took %v", took)
	}
	c.mustRun("return 1", "1")
	p, f := settled(t, pid)
	if p > max(processes, stormClients) || f > fds+(p-processes)*descriptorsPerWorker {
		t.Errorf("before: %d workers, %d descriptors; after: %d, %d", processes, fds, p, f)
	}
	t.Logf("%d runs, %d workers killed, %d runs crashed with them, slowest run %d ms; before: %d workers, %d descriptors; after: %d, %d",
		stormRuns, kills.Load(), crashed.Load(), slowest.Load(), processes, fds, p, f)
}

// descriptorsPerWorker is what a server holds for each worker: its frames, its
// control pipe, its output and its process.
const descriptorsPerWorker = 4
