// Package sandbox runs scripts in worker processes, as the host sees them: it
// starts workers, hands them out, kills and replaces them.
//
// It owns every worker process and the clock of a run. It knows nothing of tools
// but that a script calls them by name. Of this module it imports only wire. The
// child's own code is in worker, which the server must not import.
package sandbox

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"codemode-mcp/internal/sandbox/wire"
)

// Options configure a Pool.
type Options struct {
	// Command is the worker's command line without its descriptors.
	Command []string
	// MemoryMB is a script's memory in MB.
	MemoryMB int
	// MaxWorkers bounds the processes. At least 1.
	MaxWorkers int
	// Warm is how many idle workers are kept ready while runs come in. At least 1.
	Warm int
	// QueueWait is how long a run waits for a worker.
	QueueWait time.Duration
	// Log is told of workers that died or could not be started. It must not block.
	// Nil means nobody.
	Log func(event string, err error)
}

// Pool hands out workers. It is safe for concurrent use.
type Pool struct {
	opts   Options
	spawns chan func() // run on the one thread that spawns
	wg     sync.WaitGroup

	mu       sync.Mutex
	closed   bool       // guarded by mu
	idle     []*slot    // guarded by mu: ready, the longest idle first
	count    int        // guarded by mu: processes alive or starting
	starting int        // guarded by mu
	waiters  *list.List // guarded by mu: of *waiter, the longest waiting first
	info     wire.Info  // guarded by mu: what the newest worker said
	failures int        // guarded by mu: starts that failed in a row
	lastErr  error      // guarded by mu: why the last start failed
	all      map[*process]struct{}
}

// slot is a worker that is ready, and whom it has served.
type slot struct {
	p     *process
	owner string // the principal's ID; empty before the first run
}

type waiter struct {
	owner string
	got   chan *slot // buffered: one slot, or closed when the pool gives up
}

// maxFailures is how many starts in a row may fail before waiting runs are told.
const maxFailures = 3

// NewPool makes a pool. Nothing is started before [Pool.Open].
func NewPool(opts Options) *Pool {
	opts.MaxWorkers = max(1, opts.MaxWorkers)
	opts.Warm = min(max(1, opts.Warm), opts.MaxWorkers)
	if opts.Log == nil {
		opts.Log = func(string, error) {}
	}
	return &Pool{opts: opts, waiters: list.New(), spawns: make(chan func()), all: map[*process]struct{}{}}
}

// Open starts the first workers in the background.
func (p *Pool) Open() {
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		runtime.LockOSThread() // never unlocked: the thread ends with the pool
		for f := range p.spawns {
			f()
		}
	}()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fillLocked()
}

// Close kills every worker and waits until all are reaped.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.dismissLocked()
	for proc := range p.all {
		proc.distrust(errStopped)
		proc.kill()
	}
	p.mu.Unlock()
	for { // starts that were under way end by themselves
		p.mu.Lock()
		n := p.count
		p.mu.Unlock()
		if n == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(p.spawns)
	p.wg.Wait()
}

// Info says what the newest worker told of itself. It waits for the first one.
func (p *Pool) Info(ctx context.Context) (wire.Info, error) {
	s, out := p.acquire(ctx, "")
	if s == nil {
		return wire.Info{}, errors.New(out.Detail)
	}
	p.put(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.info, nil
}

// Run runs one script for a principal and waits for its end.
func (p *Pool) Run(ctx context.Context, owner string, job Job, h Handler) Outcome {
	for try := 1; ; try++ {
		s, out := p.acquire(ctx, owner)
		if s == nil {
			return out
		}
		s.owner = owner
		r, err := s.p.startRun(job, h)
		if err != nil {
			r.abandon(Outcome{End: Crashed, Detail: err.Error()})
		}
		out, reusable := r.wait(ctx, job.Timeout)
		p.wg.Add(1)
		go func() {
			defer p.wg.Done()
			p.release(s, reusable)
		}()
		if out.End == Crashed {
			p.opts.Log("worker crashed", errors.New(out.Detail))
		}
		// The worker died idle and never had the whole script: nothing was run.
		if (errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed)) && try < maxTries {
			continue
		}
		return out
	}
}

// maxTries is how many workers may turn out to be dead before a run says so.
const maxTries = 3

// acquire waits for a worker that is new or has served this principal only.
func (p *Pool) acquire(ctx context.Context, owner string) (*slot, Outcome) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, Outcome{End: Unavailable, Detail: "the server is shutting down"}
	}
	if s := p.takeLocked(owner); s != nil {
		p.fillLocked()
		p.mu.Unlock()
		return s, Outcome{}
	}
	w := &waiter{owner: owner, got: make(chan *slot, 1)}
	e := p.waiters.PushBack(w)
	p.fillLocked()
	p.mu.Unlock()

	timer := time.NewTimer(p.opts.QueueWait)
	defer timer.Stop()
	out := Outcome{End: Busy}
	select {
	case s, ok := <-w.got:
		if ok {
			return s, Outcome{}
		}
		return nil, p.unavailable()
	case <-timer.C:
	case <-ctx.Done():
		out.End = Cancelled
	}
	p.mu.Lock()
	p.waiters.Remove(e)
	p.mu.Unlock()
	select { // it may have come at the last moment
	case s, ok := <-w.got:
		if ok {
			p.put(s)
		}
	default:
	}
	return nil, out
}

func (p *Pool) unavailable() Outcome {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return Outcome{End: Unavailable, Detail: "the server is shutting down"}
	}
	return Outcome{End: Unavailable, Detail: fmt.Sprintf("no worker can be started: %v", p.lastErr)}
}

// takeLocked picks an idle worker: one of this principal first, so that new ones
// stay for others.
func (p *Pool) takeLocked(owner string) *slot {
	pick := -1
	for i, s := range p.idle {
		if s.owner == owner {
			pick = i
			break
		}
		if s.owner == "" && pick < 0 {
			pick = i
		}
	}
	if pick < 0 {
		return nil
	}
	s := p.idle[pick]
	p.idle = append(p.idle[:pick], p.idle[pick+1:]...)
	return s
}

// put gives a ready worker to the longest waiting run that may have it, or keeps
// it idle.
func (p *Pool) put(s *slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		s.p.distrust(errStopped)
		s.p.kill()
		return
	}
	for e := p.waiters.Front(); e != nil; e = e.Next() {
		if w := e.Value.(*waiter); s.owner == "" || s.owner == w.owner {
			p.waiters.Remove(e)
			w.got <- s
			return
		}
	}
	p.idle = append(p.idle, s)
	p.fillLocked()
}

// release takes a worker back after a run: for its next isolate, or to be thrown
// away.
func (p *Pool) release(s *slot, reusable bool) {
	if reusable {
		timer := time.NewTimer(readyTimeout)
		defer timer.Stop()
		select {
		case <-s.p.ready:
			p.put(s)
			return
		case <-s.p.exited:
			return
		case <-timer.C:
			s.p.distrust(errors.New("worker did not come back from a run"))
		}
	} else {
		s.p.terminate()
		timer := time.NewTimer(killGrace)
		defer timer.Stop()
		select {
		case <-s.p.exited:
			return
		case <-timer.C:
		}
	}
	s.p.kill()
}
