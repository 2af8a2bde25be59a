package sandbox

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"time"

	"codemode-mcp/internal/sandbox/lockdown"
)

// fillLocked starts as many workers as are wanted and allowed: one for each run
// that waits and will not be served by a worker on its way back, and the warm
// ones: always one that is ready, and some that are new to every principal.
func (p *Pool) fillLocked() {
	if p.closed {
		return
	}
	fresh := 0
	for _, s := range p.idle {
		if s.owner == "" {
			fresh++
		}
	}
	warm, live := p.opts.Warm, 0
	for _, n := range p.live {
		live += n
	}
	if time.Since(p.lastRun) > idleAfter {
		warm = 1
	}
	ready := len(p.idle) + p.returning
	want := max(warm-live-p.waiters.Len()-ready, 1-ready, p.opts.Reserve-fresh, 0) + max(p.waiters.Len()-p.returning, 0)
	for p.starting < want {
		if p.count >= p.opts.MaxWorkers {
			p.evictLocked()
			return
		}
		p.count++
		p.starting++
		p.wg.Add(1)
		go p.startWorker()
	}
}

// evictLocked makes room for a waiting run by ending a worker that is idle and
// belongs to somebody else. Its place is free when it is reaped.
func (p *Pool) evictLocked() {
	if p.waiters.Len() > 0 && p.starting == 0 && len(p.idle) > 0 {
		p.endIdleLocked(0)
	}
}

func (p *Pool) endIdleLocked(i int) {
	s := p.idle[i]
	p.idle = append(p.idle[:i], p.idle[i+1:]...)
	s.p.distrust(errStopped)
	s.p.kill()
}

// shrinker ends workers that have had nothing to do for some time. One stays.
func (p *Pool) shrinker() {
	defer p.wg.Done()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
		}
		p.mu.Lock()
		for len(p.idle) > max(1, p.opts.Reserve) && time.Since(p.idle[0].since) > idleAfter {
			p.endIdleLocked(0)
		}
		p.mu.Unlock()
	}
}

func (p *Pool) startWorker() {
	defer p.wg.Done()
	var proc *process
	var err error
	var image *os.File
	maker := false
	if !p.opts.bare {
		image, maker = p.image.offer()
	}
	imageMade := func(ready bool) {
		if maker {
			maker = false
			p.image.made(image, ready)
		}
	}
	defer imageMade(false)
	started := make(chan struct{})
	p.spawns <- func() {
		defer close(started)
		proc, err = p.spawn(image)
	}
	<-started
	p.mu.Lock()
	if err != nil {
		p.count--
		p.mu.Unlock()
		p.started(nil, err)
		return
	}
	p.all[proc] = struct{}{}
	if p.closed {
		proc.kill()
	}
	p.mu.Unlock()
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		proc.serve()
		p.gone(proc)
	}()
	timer := time.NewTimer(startTimeout)
	defer timer.Stop()
	select {
	case info := <-proc.ready:
		imageMade(true) // before it is given a script
		p.mu.Lock()
		first := p.engine == ""
		p.engine, p.layers = info.V8, slices.Concat(info.Layers, p.bornWithLocked())
		layers := p.layers
		p.mu.Unlock()
		if first {
			p.opts.Ready(info.V8, layers)
		}
		p.started(proc, nil)
	case <-proc.exited:
		p.started(nil, errors.New(proc.crash().Detail))
	case <-timer.C:
		proc.distrust(errors.New("worker was not ready in time"))
		proc.kill()
		p.started(nil, errors.New("worker was not ready in time"))
	}
}

// spawn starts a process, with namespaces of its own unless the host has refused
// them once: containers often do.
func (p *Pool) spawn(image *os.File) (*process, error) {
	p.mu.Lock()
	isolate := p.isolate
	p.mu.Unlock()
	proc, err := spawn(p.opts, isolate, image)
	if err == nil || !isolate {
		return proc, err
	}
	if proc, err = spawn(p.opts, false, image); err == nil {
		p.mu.Lock()
		p.isolate = false
		p.mu.Unlock()
	}
	return proc, err
}

// bornWithLocked names the layers that the host put around a worker.
func (p *Pool) bornWithLocked() []string {
	var out []string
	if p.landlock != "" {
		out = append(out, p.landlock)
	}
	if p.isolate && runtime.GOOS == "linux" {
		out = append(out, lockdown.LayerNamespaces)
	}
	return out
}

// started notes the end of a start. When starts fail again and again, the runs
// that wait are told instead of waiting out their time.
func (p *Pool) started(proc *process, err error) {
	p.mu.Lock()
	p.starting--
	if err == nil {
		p.failures = 0
		p.mu.Unlock()
		p.put(&slot{p: proc})
		return
	}
	closed := p.closed
	p.failures++
	p.lastErr = err
	if p.failures >= maxFailures {
		p.dismissLocked()
	}
	if p.failures < maxFailures {
		p.fillLocked() // gone may have come before: a waiting run must not be forgotten
	}
	p.mu.Unlock()
	if !closed {
		p.opts.Log("worker did not start", err)
	}
}

// gone forgets a process that was reaped, and replaces it.
func (p *Pool) gone(proc *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, proc)
	p.count--
	for i, s := range p.idle {
		if s.p == proc {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			break
		}
	}
	if p.failures < maxFailures || p.waiters.Len() > 0 {
		p.fillLocked()
	}
}
