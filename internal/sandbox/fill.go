package sandbox

import (
	"errors"
	"time"
)

// fillLocked starts as many workers as are wanted and allowed: one for each run
// that waits, and enough idle ones, at least one of them new to every principal.
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
	want := max(p.opts.Warm-len(p.idle), 1-fresh) + p.waiters.Len()
	for p.starting < want {
		if p.count >= p.opts.MaxWorkers && !p.evictLocked() {
			return
		}
		p.count++
		p.starting++
		p.wg.Add(1)
		go p.startWorker()
	}
}

// evictLocked makes room for a waiting run by ending a worker that is idle and
// belongs to somebody else.
func (p *Pool) evictLocked() bool {
	if p.waiters.Len() == 0 || p.starting > 0 || len(p.idle) == 0 {
		return false
	}
	s := p.idle[0]
	p.idle = p.idle[1:]
	s.p.distrust(errStopped)
	s.p.kill()
	return false // its place is free when it is reaped
}

func (p *Pool) startWorker() {
	defer p.wg.Done()
	var proc *process
	var err error
	started := make(chan struct{})
	p.spawns <- func() {
		defer close(started)
		proc, err = spawn(p.opts.Command, p.opts.MemoryMB)
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
		p.mu.Lock()
		p.info = info
		p.mu.Unlock()
		p.started(proc, nil)
	case <-proc.exited:
		p.started(nil, errors.New(proc.crash().Detail))
	case <-timer.C:
		proc.distrust(errors.New("worker was not ready in time"))
		proc.kill()
		p.started(nil, errors.New("worker was not ready in time"))
	}
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

// dismissLocked tells every waiting run that no worker will come.
func (p *Pool) dismissLocked() {
	for e := p.waiters.Front(); e != nil; e = p.waiters.Front() {
		close(p.waiters.Remove(e).(*waiter).got)
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
