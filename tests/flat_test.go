//go:build hostile

package tests

import (
	"fmt"
	"sync"
	"testing"
)

const (
	flatWarmUp = 2000
	flatRuns   = 10_000
	// flatGrowthMB is what a process may hold more after the runs than after the
	// warm-up: Go gives memory back late.
	flatGrowthMB = 24
)

// After ten thousand runs the server and its workers hold what they held after
// the first two thousand.
func TestMemoryIsFlat(t *testing.T) {
	dir := workspaceOf(t, map[string]string{"a.txt": "hello\n"})
	c := startClient(t, nil, "serve", "--workspace", dir, "--log-level", "error")
	pid := c.cmd.Process.Pid
	runs := func(n int) {
		var wg sync.WaitGroup
		for client := range stormClients {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := client; i < n; i += stormClients {
					env, err := c.attempt(fmt.Sprintf("console.log('run'); return (await tools.read_file({path: 'a.txt'})).content.length + %d", i))
					if err != nil || string(env.Result) != fmt.Sprint(6+i) {
						t.Errorf("run %d: %v %s %s", i, err, env.Message, env.Result)
						return
					}
				}
			}()
		}
		wg.Wait()
	}
	measure := func() (server, worker int) {
		settled(t, pid)
		for _, w := range workersOf(pid) {
			worker = max(worker, residentMB(w))
		}
		return residentMB(pid), worker
	}
	runs(flatWarmUp)
	serverBefore, workerBefore := measure()
	runs(flatRuns)
	server, worker := measure()
	fmt.Printf("%d runs: server %d MB, then %d MB; largest worker %d MB, then %d MB\n", flatRuns, serverBefore, server, workerBefore, worker)
	if server > serverBefore+flatGrowthMB || worker > workerBefore+flatGrowthMB {
		t.Error("memory grew")
	}
}
