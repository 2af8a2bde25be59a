package tests

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// children lists the live processes whose parent is pid.
func children(t *testing.T, pid int) []int {
	t.Helper()
	return workersOf(pid)
}

func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(text), ") Z ")
}

// eventually waits until ok holds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Errorf("%s: not within 10 s", what)
}

func descriptors(t *testing.T, pid int) int {
	t.Helper()
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// settled waits until the number of a server's descriptors stays the same, and
// gives it with the number of its workers.
func settled(t *testing.T, pid int) (processes, fds int) {
	t.Helper()
	last, same := -1, 0
	for same < 10 {
		time.Sleep(50 * time.Millisecond)
		if n := descriptors(t, pid); n == last {
			same++
		} else {
			last, same = n, 0
		}
	}
	return len(children(t, pid)), last
}

// A hundred runs, some of them fatal, leave no process and no descriptor behind.
func TestNothingIsLeftBehind(t *testing.T) {
	c := startClient(t, []string{"CODE_MODE_TIMEOUT_SECONDS=1"}, "serve", "--log-level", "error")
	pid := c.cmd.Process.Pid
	settle := func() (processes, fds int) { return settled(t, pid) }
	c.mustRun("return 1", "1")
	processes, fds := settle()
	for i := range 100 {
		switch i % 20 {
		case 7:
			if env := c.run("for (;;) {}"); env.Kind != "timeout" {
				t.Errorf("got %s", env.Kind)
			}
		case 13:
			if env := c.run("const a = []; for (;;) a.push(new Array(1e6).fill(1.5))"); env.Kind != "memory_limit" {
				t.Errorf("got %s: %s", env.Kind, env.Message)
			}
		default:
			c.mustRun("return "+strconv.Itoa(i), strconv.Itoa(i))
		}
	}
	if p, f := settle(); p > processes || f > fds {
		t.Errorf("before: %d workers, %d descriptors; after: %d, %d", processes, fds, p, f)
	}
}

// Workers never outlive the server, however it ends.
func TestWorkersEndWithTheServer(t *testing.T) {
	for name, end := range map[string]func(*client){
		"input closed": func(c *client) { c.stdin.Close() },
		"interrupted":  func(c *client) { c.cmd.Process.Signal(os.Interrupt) },
		"killed":       func(c *client) { c.cmd.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			c := startClient(t, nil, "serve", "--log-level", "error")
			c.mustRun("return 1", "1")
			busy := func() { c.send("tools/call", c.execute("for (;;) {}")) }
			if name == "killed" {
				busy()
			}
			workers := children(t, c.cmd.Process.Pid)
			if len(workers) == 0 {
				t.Fatal("no worker is running")
			}
			end(c)
			for _, pid := range workers {
				eventually(t, "worker ends", func() bool { return !alive(pid) })
			}
		})
	}
}

// A worker that is killed costs its own run only.
func TestKilledWorker(t *testing.T) {
	c := startClient(t, nil, "serve", "--log-level", "error")
	c.mustRun("return 1", "1")
	_, ch := c.send("tools/call", c.execute("for (;;) {}"))
	var victim int
	eventually(t, "a worker computes", func() bool {
		for _, pid := range children(t, c.cmd.Process.Pid) {
			if ticks(pid) > 20 {
				victim = pid
			}
		}
		return victim != 0
	})
	p, err := os.FindProcess(victim)
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	if env := c.envelope(c.await(ch)); env.Kind != "sandbox_crashed" {
		t.Errorf("got %s: %s", env.Kind, env.Message)
	}
	c.mustRun("return 1", "1")
}

// ticks is the CPU time of a process in clock ticks.
func ticks(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system
}

// Cancelling the request stops the script and the calls it made, and no answer
// is needed to go on.
func TestCancel(t *testing.T) {
	c := startClient(t, nil, "serve", "--log-level", "error")
	c.mustRun("return 1", "1")
	id, _ := c.send("tools/call", c.execute("for (;;) {}"))
	time.Sleep(200 * time.Millisecond)
	before := children(t, c.cmd.Process.Pid)
	c.notify("notifications/cancelled", fmt.Sprintf(`{"requestId":%d,"reason":"enough"}`, id))
	eventually(t, "the computing worker is gone", func() bool {
		for _, pid := range before {
			if !alive(pid) {
				return true
			}
		}
		return false
	})
	c.mustRun("return 2", "2")
}
