package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const (
	// honestDeadline is the wall time of a run that should not need it.
	honestDeadline = 20 * time.Second
	// noise is what a loaded machine may add to a time.
	noise = 3 * time.Second
)

// handler is a host for fake scripts. Calls of a.slow are never answered, those
// of a.large with a megabyte.
type handler struct{ calls, logs atomic.Int64 }

func (h *handler) Call(_ bool, path string, _ json.RawMessage, reply func(bool, json.RawMessage)) {
	h.calls.Add(1)
	switch path {
	case "a.slow":
	case "a.large":
		go reply(true, json.RawMessage(`"`+strings.Repeat("x", 1<<20)+`"`))
	default:
		go reply(true, json.RawMessage("1"))
	}
}

func (h *handler) Log(string, string) { h.logs.Add(1) }

func (h *handler) Ask(verb string, _ json.RawMessage, reply func(bool, json.RawMessage)) {
	if verb != "never" {
		go reply(true, json.RawMessage("{}"))
	}
}

func (h *handler) Emit(json.RawMessage) {}

// newPool opens a pool that is closed with the test. Afterwards no process and
// no descriptor of it may be left.
func newPool(t *testing.T, opts Options) *Pool {
	t.Helper()
	if opts.Command == nil {
		opts.Command = fakeCommand(t, "honest")
	}
	opts.bare = true    // a fake worker tells its process number, which must be the host's
	opts.MemoryMB = 512 // far above what the race detector takes
	if opts.QueueWait == 0 {
		opts.QueueWait = honestDeadline
	}
	before := descriptors(t)
	p := NewPool(opts)
	p.Open()
	t.Cleanup(func() {
		p.Close()
		if len(p.all) != 0 || p.count != 0 {
			t.Errorf("%d processes are left, %d counted", len(p.all), p.count)
		}
		if after := descriptors(t); after > before {
			t.Errorf("%d descriptors before, %d after", before, after)
		}
	})
	return p
}

func descriptors(t *testing.T) int {
	list, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// mustReturn runs an honest script that must return, and gives its result.
func mustReturn(t *testing.T, p *Pool, owner, script string) string {
	t.Helper()
	args, _ := json.Marshal(owner)
	out := p.Run(context.Background(), owner, Job{Script: script, Args: args, Timeout: honestDeadline}, &handler{})
	if out.End != Returned {
		t.Errorf("%s for %s ended as %d: %s", script, owner, out.End, out.Detail)
	}
	return string(out.Result)
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s: not within 10 s", what)
}

func (p *Pool) waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiters.Len()
}

// A worker serves one principal in its life.
func TestOwnerNeverChanges(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 3, Warm: 2})
	var wg sync.WaitGroup
	for c := range 6 {
		owner := fmt.Sprintf("principal-%d", c%4)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 15 {
				var seen []string
				if err := json.Unmarshal([]byte(mustReturn(t, p, owner, "seen")), &seen); err != nil {
					t.Error(err)
				}
				for _, s := range seen {
					if s != owner {
						t.Errorf("a worker of %s has served %s", owner, s)
					}
				}
			}
		}()
	}
	wg.Wait()
}

// A principal gets its own worker again, and a new one is kept for others.
func TestWorkerIsUsedAgain(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 3, Warm: 2})
	first := mustReturn(t, p, "alice", "id")
	waitFor(t, "the worker comes back", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, s := range p.idle {
			if s.owner == "alice" {
				return true
			}
		}
		return false
	})
	if again := mustReturn(t, p, "alice", "id"); again != first {
		t.Errorf("worker %s, then %s", first, again)
	}
	if other := mustReturn(t, p, "bob", "id"); other == first {
		t.Error("bob got the worker of alice")
	}
}

func TestBusy(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 1, QueueWait: 50 * time.Millisecond})
	waitFor(t, "a worker is ready", func() bool { return idle(p) == 1 })
	done := make(chan string)
	go func() { done <- mustReturn(t, p, "alice", "sleep 400") }()
	waitFor(t, "the worker is taken", func() bool { return idle(p) == 0 })
	start := time.Now()
	out := p.Run(context.Background(), "bob", Job{Script: "id", Timeout: honestDeadline}, &handler{})
	if took := time.Since(start); out.End != Busy || took < 50*time.Millisecond || took > noise {
		t.Errorf("ended as %d after %v", out.End, took)
	}
	<-done
}

func idle(p *Pool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle)
}

// A waiting run gets the worker of somebody else's place, once it is idle.
func TestEviction(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 1})
	first := mustReturn(t, p, "alice", "id")
	if second := mustReturn(t, p, "bob", "id"); second == first {
		t.Error("bob got the worker of alice")
	}
	if third := mustReturn(t, p, "alice", "id"); third == first {
		t.Error("the evicted worker is alive")
	}
}

// Runs of one principal are served in the order in which they came.
func TestQueueIsInOrder(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 1})
	waitFor(t, "a worker is ready", func() bool { return idle(p) == 1 })
	var mu sync.Mutex
	var order []int
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mustReturn(t, p, "alice", "sleep 20")
			mu.Lock()
			defer mu.Unlock()
			order = append(order, i)
		}()
		waitFor(t, "the run waits", func() bool { return p.waiting() == i && idle(p) == 0 })
		if i == 0 {
			continue
		}
	}
	wg.Wait()
	for i := 1; i < len(order); i++ {
		if order[i] < order[i-1] {
			t.Errorf("served in the order %v", order)
			break
		}
	}
}

// killWorkers kills every worker there is and waits until they are reaped.
func killWorkers(p *Pool) {
	p.mu.Lock()
	all := slices.Collect(maps.Keys(p.all))
	p.mu.Unlock()
	for _, proc := range all {
		syscall.Kill(proc.cmd.Process.Pid, syscall.SIGKILL)
	}
	for _, proc := range all {
		<-proc.exited
	}
}

// A worker that is killed, at work or idle, is replaced; the pool stays whole.
func TestKilledWorkerIsReplaced(t *testing.T) {
	var logged atomic.Int64
	p := newPool(t, Options{MaxWorkers: 2, Log: func(string, error) { logged.Add(1) }})
	first := mustReturn(t, p, "alice", "id")
	killWorkers(p) // idle, or on its way to be
	if again := mustReturn(t, p, "alice", "id"); again == first {
		t.Error("a dead worker has answered")
	}
	killed := make(chan struct{})
	time.AfterFunc(100*time.Millisecond, func() { killWorkers(p); close(killed) })
	out := p.Run(context.Background(), "alice", Job{Script: "sleep 60000", Timeout: honestDeadline}, &handler{})
	if out.End != Crashed || !strings.Contains(out.Detail, "killed") {
		t.Errorf("ended as %d: %s", out.End, out.Detail)
	}
	<-killed
	if logged.Load() == 0 {
		t.Error("the crash was not logged")
	}
	mustReturn(t, p, "alice", "id")
}

func TestCancel(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 1})
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	out := p.Run(ctx, "alice", Job{Script: "sleep 60000", Timeout: time.Minute}, &handler{})
	if took := time.Since(start); out.End != Cancelled || took > noise {
		t.Errorf("ended as %d after %v", out.End, took)
	}
	mustReturn(t, p, "alice", "id")
}

// An answer that comes when its run is over reaches no later run.
func TestLateReply(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 1})
	h := &lateHandler{reply: make(chan func(bool, json.RawMessage), 1)}
	first := p.Run(context.Background(), "alice", Job{Script: "leave", Timeout: honestDeadline}, h)
	reply := <-h.reply
	waitFor(t, "the worker comes back", func() bool { return idle(p) == 1 })
	reply(true, json.RawMessage(`"late"`))
	if second := mustReturn(t, p, "alice", "id"); second != string(first.Result) {
		t.Errorf("another worker, %s", second)
	}
	if strays := mustReturn(t, p, "alice", "strays"); strays != "0" {
		t.Errorf("%s late answers were sent", strays)
	}
}

type lateHandler struct {
	handler
	reply chan func(bool, json.RawMessage)
}

func (h *lateHandler) Call(_ bool, _ string, _ json.RawMessage, reply func(bool, json.RawMessage)) {
	h.reply <- reply
}
func (h *lateHandler) Log(string, string) {}

// The list of tools is sent to a worker once.
func TestNamesAreSentOnce(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 1})
	for i, want := range []string{"5", "0", "7", "0"} {
		names := Names{Key: fmt.Sprint(i / 2), JSON: []byte("[     ]")[:5+i/2*2]}
		out := p.Run(context.Background(), "alice", Job{Script: "names", Names: names, Timeout: honestDeadline}, &handler{})
		if string(out.Result) != want {
			t.Errorf("run %d got %s bytes of names, want %s", i, out.Result, want)
		}
	}
}

// Calls are answered, whatever their number; a failure is passed on.
func TestCallsAndFailures(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 1})
	h := &handler{}
	out := p.Run(context.Background(), "alice", Job{Script: "calls 2000", Timeout: honestDeadline}, h)
	if out.End != Returned || string(out.Result) != "2000" || h.calls.Load() != 2000 {
		t.Errorf("ended as %d with %s after %d calls: %s", out.End, out.Result, h.calls.Load(), out.Detail)
	}
	out = p.Run(context.Background(), "alice", Job{Script: "throw", Timeout: honestDeadline}, h)
	if out.End != Threw || out.Failure.Message != "thrown" {
		t.Errorf("ended as %d: %+v", out.End, out.Failure)
	}
}

// A principal that keeps the pool busy starves nobody: another one's run gets a
// place, although each worker has an owner who wants it at once.
func TestNobodyStarves(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 1})
	quit := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-quit:
					return
				default:
					mustReturn(t, p, "greedy", "sleep 10")
				}
			}
		}()
	}
	waitFor(t, "a queue", func() bool { return p.waiting() >= 3 })
	start := time.Now()
	mustReturn(t, p, "modest", "id")
	if took := time.Since(start); took > noise {
		t.Errorf("the modest principal waited %v", took)
	}
	close(quit)
	wg.Wait()
}

// Where there are many principals, none can take every place: another one's run is
// served at once, although all of the first one's runs go on.
func TestNobodyTakesEveryPlace(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 4, Many: true})
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { mustReturn(t, p, "greedy", "sleep 1500") })
	}
	waitFor(t, "three run and three wait", func() bool {
		s := p.Stats()
		return s.Running == 3 && s.Waiting == 3
	})
	mustReturn(t, p, "modest", "id")
	if s := p.Stats(); s.Running != 3 || s.Waiting != 3 {
		t.Errorf("the modest one waited for a greedy one: %+v", s)
	}
	wg.Wait() // and each of the greedy one's runs comes to its end
}
