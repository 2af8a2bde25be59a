package sandbox

import (
	"container/list"
	"context"
	"maps"
	"slices"
	"time"
)

const (
	// maxQueue is how many runs may wait for a worker at once.
	maxQueue = 1024
	// fairAfter is how long a run may wait before it gets the place of another
	// principal's worker, although that principal has runs waiting too.
	fairAfter = 200 * time.Millisecond
	// soon is how long a run waits for a worker of its principal that is at work, before
	// another is started for it: a start takes longer, and where all are short more workers
	// than processors do no more work.
	soon = 20 * time.Millisecond
)

// waiter is a run that waits for a worker.
type waiter struct {
	owner string
	got   chan *slot // buffered: one slot, or closed when the pool gives up
	since time.Time
}

// acquire waits for a worker that is new or has served this principal only. Who got
// one is busy: it must call busy.Done in the end.
func (p *Pool) acquire(ctx context.Context, owner string) (*slot, Outcome) {
	p.mu.Lock()
	p.lastRun = time.Now()
	switch {
	case ctx.Err() != nil: // the worker that it got would be killed
		p.mu.Unlock()
		return nil, Outcome{End: Cancelled}
	case p.closed:
		p.mu.Unlock()
		return nil, p.unavailable()
	case p.waiters.Len() >= maxQueue:
		p.mu.Unlock()
		return nil, Outcome{End: Busy}
	case p.failures >= maxFailures && p.lastRun.Before(p.rest) && p.count == 0:
		p.mu.Unlock()
		return nil, p.unavailable()
	}
	p.busy.Add(1)
	w := &waiter{owner: owner, got: make(chan *slot, 1), since: p.lastRun}
	e := p.waiters.PushBack(w)
	p.serveLocked()
	p.fillLocked()
	p.mu.Unlock()
	s, out := p.await(ctx, w)
	if s != nil {
		return s, out
	}
	p.mu.Lock()
	p.waiters.Remove(e)
	p.mu.Unlock()
	select { // it may have come at the last moment
	case s, ok := <-w.got:
		if ok {
			p.done(owner)
			p.put(s)
		}
	default:
	}
	p.busy.Done()
	return nil, out
}

func (p *Pool) await(ctx context.Context, w *waiter) (*slot, Outcome) {
	select {
	case s, ok := <-w.got:
		if ok {
			return s, Outcome{}
		}
		return nil, p.unavailable()
	default:
	}
	timer := time.NewTimer(p.opts.QueueWait)
	defer timer.Stop()
	select {
	case s, ok := <-w.got:
		if ok {
			return s, Outcome{}
		}
		return nil, p.unavailable()
	case <-timer.C:
		return nil, Outcome{End: Busy}
	case <-ctx.Done():
		return nil, Outcome{End: Cancelled}
	}
}

// put takes a worker that is ready.
func (p *Pool) put(s *slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.returnedLocked(s)
	select {
	case <-s.p.exited: // it died between its last word and now, and may have been counted on
		p.diedLocked(s)
		p.fillLocked()
		return
	default:
	}
	if p.closed {
		s.p.distrust(errStopped)
		s.p.kill()
		return
	}
	s.since = time.Now()
	p.idle = append(p.idle, s)
	p.serveLocked()
	p.fillLocked()
}

// serveLocked gives idle workers to runs that wait, as far as there are places.
func (p *Pool) serveLocked() {
	for p.waiters.Len() > 0 && p.workingLocked() < p.opts.MaxWorkers {
		e, i := p.matchLocked()
		if e == nil {
			return
		}
		s := p.idle[i]
		p.idle = slices.Delete(p.idle, i, i+1)
		w := p.waiters.Remove(e).(*waiter)
		if s.owner == "" {
			p.taken++
		}
		p.live[w.owner]++
		p.served = time.Now()
		w.got <- s
	}
}

// workingLocked is how many workers hold a place: those that run a script, make
// their next isolate, or are being ended.
func (p *Pool) workingLocked() int { return p.count - len(p.idle) - p.starting }

// matchLocked picks the run that is served next, and its worker: the one that waits
// longest among those of the principal with the fewest live runs, so that nobody
// starves another.
func (p *Pool) matchLocked() (*list.Element, int) {
	var next, best *waiter
	var e *list.Element
	at := -1
	for f := p.waiters.Front(); f != nil; f = f.Next() {
		w := f.Value.(*waiter)
		if p.fullLocked(w.owner) {
			continue
		}
		if next == nil || p.live[w.owner] < p.live[next.owner] {
			next = w
		}
		if best != nil && p.live[w.owner] >= p.live[best.owner] {
			continue
		}
		if i := p.suitsLocked(w.owner); i >= 0 {
			e, best, at = f, w, i
		}
	}
	// One that keeps waiting because each worker has an owner who wants it at once
	// goes first: one of them then makes room.
	if best != nil && next.owner != best.owner && time.Since(next.since) > fairAfter && p.count >= p.most() && p.starting == 0 && p.suitsLocked(next.owner) < 0 {
		return nil, 0
	}
	return e, at
}

// suitsLocked picks an idle worker: of this principal the one that worked last, whose
// memory is still in the processor's caches. New ones stay for others as long as one of
// its own is on its way back. It is -1 if there is none.
func (p *Pool) suitsLocked(owner string) int {
	pick := -1
	for i, s := range slices.Backward(p.idle) {
		if s.owner == owner {
			return i
		}
		if s.owner == "" {
			pick = i
		}
	}
	if p.returning[owner] > 0 {
		return -1
	}
	return pick
}

// share is how many live runs a principal may have. Where there are others, a
// quarter of the places, and one at least, is kept from it.
func (p *Pool) share() int {
	if p.opts.Many && p.opts.MaxWorkers > 1 {
		return p.opts.MaxWorkers - max(1, p.opts.MaxWorkers/4)
	}
	return p.opts.MaxWorkers
}

func (p *Pool) fullLocked(owner string) bool { return p.live[owner] >= p.share() }

// hungryLocked is how many runs wait for a worker to be started: they may have one, and
// find none of their principal's that is idle, on its way back, or back soon.
func (p *Pool) hungryLocked() int {
	if p.waiters.Len() == 0 {
		return 0
	}
	now := time.Now()
	may := map[string]int{} // how many more runs of a principal may wait for a new worker
	own := maps.Clone(p.returning)
	for _, s := range p.idle {
		own[s.owner]++
	}
	n := 0
	for e := p.waiters.Front(); e != nil; e = e.Next() {
		w := e.Value.(*waiter)
		owner := w.owner
		left, seen := may[owner]
		if !seen {
			left = p.share() - p.live[owner]
		}
		may[owner] = left - 1
		switch {
		case left <= 0:
		case owner != "" && own[owner] > 0:
			own[owner]--
		case p.live[owner]+p.returning[owner] > 0 && now.Sub(w.since) < soon:
			p.lookAgainLocked(soon - now.Sub(w.since))
		default:
			n++
		}
	}
	return n
}

// lookAgainLocked looks later whether a worker is to be started.
func (p *Pool) lookAgainLocked(in time.Duration) {
	if p.again {
		return
	}
	p.again = true
	p.busy.Add(1)
	time.AfterFunc(in, func() {
		defer p.busy.Done()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.again = false
		p.fillLocked()
	})
}

// dismissLocked tells every waiting run that no worker will come.
func (p *Pool) dismissLocked() {
	for e := p.waiters.Front(); e != nil; e = p.waiters.Front() {
		close(p.waiters.Remove(e).(*waiter).got)
	}
}
