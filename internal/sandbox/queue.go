package sandbox

import (
	"container/list"
	"time"
)

// takeLocked picks an idle worker: one of this principal first, so that new ones
// stay for others.
func (p *Pool) takeLocked(owner string) *slot {
	if p.fullLocked(owner) {
		return nil
	}
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

// put gives a ready worker to a run that waits and may have it, or keeps it idle.
func (p *Pool) put(s *slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-s.p.exited: // it died between its last word and now, and may have been counted on
		p.diedLocked(s)
		p.fillLocked()
		return
	default:
	}
	if p.closed || p.starvesLocked(s.owner) {
		s.p.distrust(errStopped)
		s.p.kill() // a new one is started when it is reaped
		return
	}
	if e := p.nextLocked(s.owner); e != nil {
		w := p.waiters.Remove(e).(*waiter)
		p.live[w.owner]++
		w.got <- s
		return
	}
	s.since = time.Now()
	p.idle = append(p.idle, s)
	p.fillLocked()
}

// fullLocked reports whether a principal has as many live runs as one may where there
// are others: a quarter of the places, and one at least, is kept from it.
func (p *Pool) fullLocked(owner string) bool {
	most := p.opts.MaxWorkers
	if p.opts.Many && most > 1 {
		most -= max(1, most/4)
	}
	return p.live[owner] >= most
}

// hungryLocked is how many runs wait that may have a worker.
func (p *Pool) hungryLocked() int {
	if !p.opts.Many {
		return p.waiters.Len()
	}
	n := 0
	for e := p.waiters.Front(); e != nil; e = e.Next() {
		if !p.fullLocked(e.Value.(*waiter).owner) {
			n++
		}
	}
	return n
}

// starvesLocked reports whether another principal's run has waited too long for a
// place that this owner's runs keep taking.
func (p *Pool) starvesLocked(owner string) bool {
	e := p.nextLocked("")
	if owner == "" || e == nil || p.count < p.opts.MaxWorkers || p.starting > 0 {
		return false
	}
	w := e.Value.(*waiter)
	return w.owner != owner && time.Since(w.since) > fairAfter
}

// nextLocked picks the run that waits longest among those of the principal with
// the fewest live runs, so that nobody starves another.
func (p *Pool) nextLocked(owner string) *list.Element {
	var best *list.Element
	for e := p.waiters.Front(); e != nil; e = e.Next() {
		w := e.Value.(*waiter)
		if owner != "" && owner != w.owner || p.fullLocked(w.owner) {
			continue
		}
		if best == nil || p.live[w.owner] < p.live[best.Value.(*waiter).owner] {
			best = e
		}
	}
	return best
}

// dismissLocked tells every waiting run that no worker will come.
func (p *Pool) dismissLocked() {
	for e := p.waiters.Front(); e != nil; e = p.waiters.Front() {
		close(p.waiters.Remove(e).(*waiter).got)
	}
}
