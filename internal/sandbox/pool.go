// Package sandbox runs scripts in worker processes, as the host sees them: it
// starts workers, hands them out, kills and replaces them.
//
// It owns every worker process and the clock of a run. It knows nothing of tools
// but that a script calls them by name. Of this module it imports only wire and
// lockdown. The child's own code is in worker, which the server must not import.
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
)

// Options configure a Pool.
type Options struct {
	// Command is the worker's command line without its descriptors.
	Command []string
	// MemoryMB is a script's memory in MB.
	MemoryMB int
	// MaxWorkers bounds the workers that work, and so the live runs. At least 1.
	MaxWorkers int
	// Spare is how many more processes there may be, idle or starting, when there is
	// more than one principal.
	Spare int
	// Warm is how many workers are kept ready while runs come in. At least 1. When
	// none has come for some time, one is kept.
	Warm int
	// Many says that there is more than one principal: of the spare workers some are
	// then kept that are new to all of them, and none of them may take every place.
	Many bool
	// QueueWait is how long a run waits for a worker.
	QueueWait time.Duration
	// Jitless runs V8 without a JIT, and without executable memory.
	Jitless bool
	// BestEffort runs scripts also where a sandbox layer can't be had.
	BestEffort bool
	// Ready is told once, when the first worker is ready. It must not block. Nil means
	// nobody.
	Ready func(Info)
	// Log is told of workers that died or could not be started, and of a layer that one
	// lacks. It must not block. Nil means nobody.
	Log func(event string, err error)

	// bare leaves out Landlock and namespaces, for tests whose fake worker keeps a
	// file or tells its process number.
	bare bool
	// start starts a process; tests let it fail.
	start func(opts Options, isolate bool, image *os.File) (*process, error)
}

// Info is what the first worker told of itself.
type Info struct {
	// Engine is the version of V8.
	Engine string
	// Layers are the sandbox layers that workers live under; Missing are those that
	// the host does not give, each with the reason.
	Layers, Missing []string
}

const (
	// maxRuns is how many scripts a worker runs before it is replaced: whatever it
	// may have lost of its memory ends with it.
	maxRuns = 1000
	// idleAfter is how long a worker stays ready without work, and how long after
	// the last run the pool shrinks to one.
	idleAfter = 30 * time.Second
	// lateAfter is how long the pool counts on a worker whose run is over. A new
	// isolate takes a tenth of it.
	lateAfter = 50 * time.Millisecond
	// lookEvery is how often the pool looks for workers to end.
	lookEvery = 5 * time.Second
	// maxFailures is how many starts in a row may fail before waiting runs are told.
	maxFailures = 3
	// youngAge is how long a worker must have lived, or else have served a run, to
	// count as a sound one: those that die before are replaced ever more slowly.
	youngAge = 5 * time.Second
	// restPause is how long starts rest after the third failure or early death in a
	// row. It doubles with each more, up to maxRest.
	restPause = 100 * time.Millisecond
	maxRest   = 10 * time.Second
	// startTries is how many workers a run is given to when the first turn out to
	// be dead before they got the script.
	startTries = 3
)

// Pool hands out workers. It is safe for concurrent use.
type Pool struct {
	opts   Options
	spawns chan func() // run on the one thread that spawns
	stop   chan struct{}
	busy   sync.WaitGroup // runs, and the goroutines of workers
	wg     sync.WaitGroup // the spawner and the shrinker
	image  image

	mu        sync.Mutex
	closed    bool           // guarded by mu
	idle      []*slot        // guarded by mu: ready, the longest idle first
	live      map[string]int // guarded by mu: runs under way, by principal
	count     int            // guarded by mu: processes alive or starting
	starting  int            // guarded by mu
	returning map[string]int // guarded by mu: workers that make their next isolate, by principal
	waiters   *list.List     // guarded by mu: of *waiter, the longest waiting first
	served    time.Time      // guarded by mu: when a run last got a worker
	again     bool           // guarded by mu: a look at who waits is due
	taken     int            // guarded by mu: new workers that got an owner, lately
	lastRun   time.Time      // guarded by mu: when a run last asked for a worker
	failures  int            // guarded by mu: starts that failed in a row
	deaths    int            // guarded by mu: workers that died young in a row
	rest      time.Time      // guarded by mu: until then nothing is started
	lastErr   error          // guarded by mu: why the last start failed
	all       map[*process]struct{}

	info      Info  // guarded by mu: of the first worker; Engine is empty before
	shared    bool  // guarded by mu: workers get no namespaces of their own
	sharedErr error // guarded by mu: why not
	landlock  error // guarded by mu: why the spawning thread is not under Landlock
}

// slot is a worker that is ready, and whom it has served.
type slot struct {
	p     *process
	owner string // the principal's ID; empty before the first run
	runs  int
	since time.Time // when it became idle
	// returning is guarded by the pool's mu: it is counted there as such.
	returning bool
}

// NewPool makes a pool. Nothing is started before [Pool.Open].
func NewPool(opts Options) *Pool {
	opts.MaxWorkers = max(1, opts.MaxWorkers)
	opts.Warm = min(max(1, opts.Warm), opts.MaxWorkers)
	if !opts.Many {
		opts.Spare = 0
	}
	if opts.start == nil {
		opts.start = spawn
	}
	if opts.Ready == nil {
		opts.Ready = func(Info) {}
	}
	if opts.Log == nil {
		opts.Log = func(string, error) {}
	}
	return &Pool{
		opts: opts, waiters: list.New(), shared: opts.bare, lastRun: time.Now(),
		spawns: make(chan func()), stop: make(chan struct{}),
		live: map[string]int{}, returning: map[string]int{}, all: map[*process]struct{}{},
	}
}

// Open starts the first workers in the background.
func (p *Pool) Open() {
	p.wg.Add(2)
	go p.spawner()
	go p.shrinker()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fillLocked()
}

// spawner owns the thread that starts every worker.
func (p *Pool) spawner() {
	defer p.wg.Done()
	runtime.LockOSThread() // never unlocked: the thread ends with the pool
	if !p.opts.bare {
		err := restrictSpawner(p.binary())
		p.mu.Lock()
		p.landlock = err
		p.mu.Unlock()
	}
	for f := range p.spawns {
		f()
	}
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
	close(p.stop)
	p.busy.Wait() // starts that were under way end by themselves
	close(p.spawns)
	p.wg.Wait()
	p.image.close()
}

// binary is the file that workers run.
func (p *Pool) binary() string {
	if p.opts.Command[0] == SelfCommand {
		if path, err := os.Executable(); err == nil {
			return path
		}
	}
	return p.opts.Command[0]
}

// Info tells of the first worker, and waits for it.
func (p *Pool) Info(ctx context.Context) (Info, error) {
	s, out := p.acquire(ctx, "")
	if s == nil {
		return Info{}, errors.New(out.Detail)
	}
	defer p.busy.Done()
	p.done("")
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
		s.runs++
		r, err := s.p.startRun(job, h)
		if err != nil {
			r.abandon(Outcome{End: Crashed, Detail: err.Error()})
		}
		out, reusable := r.wait(ctx, job)
		p.release(s, reusable)
		p.busy.Done()
		// It died while it was idle and never had the whole script: nothing was run.
		if (errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed)) && try < startTries {
			continue
		}
		if out.End == Crashed {
			p.opts.Log("worker crashed", errors.New(out.Detail))
		}
		return out
	}
}

func (p *Pool) unavailable() Outcome {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return Outcome{End: Unavailable, Detail: "the server is shutting down"}
	}
	return Outcome{End: Unavailable, Detail: fmt.Sprintf("no worker can be started: %v", p.lastErr)}
}

// done notes the end of a principal's run.
func (p *Pool) done(owner string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fewer(p.live, owner)
}

// fewer takes one from a count, and forgets it at zero.
func fewer(counts map[string]int, owner string) {
	if counts[owner]--; counts[owner] <= 0 {
		delete(counts, owner)
	}
}

// release takes a worker back after a run, in the background: for its next
// isolate, or to be thrown away.
func (p *Pool) release(s *slot, reusable bool) {
	reusable = reusable && s.runs < maxRuns && !s.p.slowed()
	p.mu.Lock()
	fewer(p.live, s.owner)
	if reusable {
		s.returning = true
		p.returning[s.owner]++
		p.deaths = 0
	}
	p.serveLocked() // its principal may have one more
	p.mu.Unlock()
	p.busy.Add(1)
	go func() {
		defer p.busy.Done()
		if !reusable {
			s.p.end()
			return
		}
		// Nobody waits for a worker that is late: its script may hold it.
		late := time.AfterFunc(lateAfter, func() { p.returned(s) })
		back := s.p.awaitReady()
		late.Stop()
		if back {
			p.put(s)
		} else {
			p.returned(s)
		}
	}()
}

// returned says that nobody need count on a worker's return any more.
func (p *Pool) returned(s *slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.returnedLocked(s)
	p.serveLocked()
	p.fillLocked()
}

func (p *Pool) returnedLocked(s *slot) {
	if s.returning {
		s.returning = false
		fewer(p.returning, s.owner)
	}
}
