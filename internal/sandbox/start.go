package sandbox

import (
	"errors"
	"os"
	"runtime"
	"time"

	"codemode-mcp/internal/sandbox/lockdown"
	"codemode-mcp/internal/sandbox/wire"
)

// noImage is said once where workers have no image to start from.
const noImage = "workers start without a shared image, and take longer to"

func (p *Pool) startWorker() {
	defer p.busy.Done()
	var proc *process
	var err error
	var image *os.File
	maker := false
	if !p.opts.bare && !p.opts.Jitless { // without a JIT V8 makes no snapshot
		var err error
		if image, maker, err = p.image.offer(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			p.opts.Log(noImage, err)
		}
	}
	imageMade := func(ready bool) {
		if maker {
			maker = false
			if err := p.image.made(image, ready); err != nil {
				p.opts.Log(noImage, err)
			}
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
	p.busy.Add(1)
	go func() {
		defer p.busy.Done()
		proc.serve()
		p.gone(proc)
	}()
	timer := time.NewTimer(startTimeout)
	defer timer.Stop()
	select {
	case info := <-proc.ready:
		imageMade(true) // before it is given a script
		p.introduce(proc, info)
		p.started(proc, nil)
	case <-proc.exited:
		p.started(nil, errors.New(proc.crash().Detail))
	case <-timer.C:
		proc.distrust(errors.New("worker was not ready in time"))
		proc.kill()
		p.started(nil, errors.New("worker was not ready in time"))
	}
}

// spawn starts a process, with namespaces of its own unless the host refuses them:
// containers often do. What is refused before the first worker is ready stays so; later
// only this worker goes without.
func (p *Pool) spawn(image *os.File) (*process, error) {
	p.mu.Lock()
	shared, first := p.shared, p.info.Engine == ""
	p.mu.Unlock()
	proc, err := p.opts.start(p.opts, !shared, image)
	if err == nil {
		proc.shared = shared
	}
	if err == nil || shared || !refusesNamespaces(err) {
		return proc, err
	}
	proc, failed := p.opts.start(p.opts, false, image)
	if failed != nil {
		return nil, failed
	}
	proc.shared = true
	p.mu.Lock()
	if first {
		p.shared = true
	}
	p.sharedErr = err
	p.mu.Unlock()
	p.opts.Log("a worker has no namespaces of its own", err)
	return proc, nil
}

// introduce takes what a new worker says of itself. The first one is made known.
func (p *Pool) introduce(proc *process, info wire.Info) {
	p.mu.Lock()
	first := p.info.Engine == ""
	if first {
		p.info = Info{Engine: info.V8, Layers: info.Layers, Missing: info.Missing}
		p.bornWithLocked(proc)
	}
	known := p.info
	p.mu.Unlock()
	if first {
		p.opts.Ready(known)
	}
}

// bornWithLocked adds the layers that the host puts around a worker.
func (p *Pool) bornWithLocked(proc *process) {
	if runtime.GOOS != "linux" || p.opts.bare {
		return
	}
	add := func(layer string, err error) {
		if err == nil {
			p.info.Layers = append(p.info.Layers, layer)
		} else {
			p.info.Missing = append(p.info.Missing, layer+": "+err.Error())
		}
	}
	add(lockdown.LayerLandlock, p.landlock)
	if proc.shared {
		add(lockdown.LayerNamespaces, p.sharedErr)
	} else {
		add(lockdown.LayerNamespaces, nil)
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
	p.restLocked(p.failures)
	if p.failures >= maxFailures {
		p.dismissLocked()
	}
	p.fillLocked() // gone may have come before: a waiting run must not be forgotten
	p.mu.Unlock()
	if !closed {
		p.opts.Log("worker did not start", err)
	}
}

// restLocked lets starts rest when the last ones came to nothing, so that a host that
// can't keep a worker alive is not kept busy by it.
func (p *Pool) restLocked(failed int) {
	if failed < maxFailures || p.closed {
		return
	}
	pause := min(restPause<<min(failed-maxFailures, 10), maxRest)
	p.rest = time.Now().Add(pause)
	p.busy.Add(1)
	go func() {
		defer p.busy.Done()
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-p.stop:
		case <-timer.C:
			p.mu.Lock()
			p.fillLocked()
			p.mu.Unlock()
		}
	}()
}

// diedLocked counts a worker that died before it was of any use.
func (p *Pool) diedLocked(s *slot) {
	if s.p.unasked() && s.runs == 0 && time.Since(s.p.born) < youngAge {
		p.deaths++
		p.restLocked(p.deaths)
	}
}

// gone forgets a process that was reaped, and replaces it.
func (p *Pool) gone(proc *process) {
	died := proc.unasked()
	p.mu.Lock()
	delete(p.all, proc)
	p.count--
	for i, s := range p.idle {
		if s.p == proc {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			p.diedLocked(s)
			break
		}
	}
	died = died && !p.closed
	p.serveLocked() // its place is free
	p.fillLocked()
	p.mu.Unlock()
	if died {
		p.opts.Log("worker ended while it was idle", errors.New(proc.crash().Detail))
	}
}
