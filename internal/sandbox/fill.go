package sandbox

import (
	"runtime"
	"slices"
	"time"
)

// maxStarting bounds the starts at one time: each takes a processor for some tens of
// milliseconds, and the first is ready the sooner the fewer they are.
var maxStarting = 2 * runtime.NumCPU()

// most is how many processes there may be.
func (p *Pool) most() int { return p.opts.MaxWorkers + p.opts.Spare }

// fillLocked starts as many workers as are wanted and allowed. Where no more are
// allowed, those that have been idle for longest make room.
func (p *Pool) fillLocked() {
	if p.closed || time.Now().Before(p.rest) {
		return
	}
	want := min(p.wantedLocked(), maxStarting)
	for ; p.starting < want; p.starting++ {
		if p.count >= p.most() {
			p.evictLocked(want - p.starting)
			return
		}
		p.count++
		p.busy.Add(1)
		go p.startWorker()
	}
}

// wantedLocked is how many workers should be starting: one for each run that waits
// and will not be served by a worker on its way back, and the warm ones: always one
// that is ready, and some that are new to every principal.
func (p *Pool) wantedLocked() int {
	warm := p.opts.Warm
	if time.Since(p.lastRun) > idleAfter {
		warm = 1
	}
	hungry, fresh, ready := p.hungryLocked(), p.freshLocked(), len(p.idle)+total(p.returning)
	one := 1
	if since := time.Since(p.served); since < soon && ready == 0 { // one of those at work may be back first
		one = 0
		p.lookAgainLocked(soon - since)
	}
	more := max(warm-total(p.live)-hungry-ready, one-ready, p.reserveLocked()-max(fresh-hungry, 0), 0)
	return more + max(hungry-fresh, 0)
}

// freshLocked is how many idle workers have served nobody.
func (p *Pool) freshLocked() int {
	n := 0
	for _, s := range p.idle {
		if s.owner == "" {
			n++
		}
	}
	return n
}

// reserveLocked is how many workers are kept for principals that have none, the more the
// more were needed lately: a start takes longer than most scripts.
func (p *Pool) reserveLocked() int {
	return min(1+p.taken/4, 1+p.opts.MaxWorkers/8, p.opts.Spare)
}

// evictLocked makes room for new workers: it ends idle ones that belong to somebody.
// Their places are free when they are reaped.
func (p *Pool) evictLocked(n int) {
	n -= p.workingLocked() - total(p.live) - total(p.returning) // as many are ending already
	for ; n > 0; n-- {
		i := slices.IndexFunc(p.idle, func(s *slot) bool { return s.owner != "" })
		if i < 0 {
			return
		}
		p.endIdleLocked(i)
	}
}

func (p *Pool) endIdleLocked(i int) {
	s := p.idle[i]
	p.idle = slices.Delete(p.idle, i, i+1)
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
		p.taken /= 2
		for i := p.dispensableLocked(); i >= 0; i = p.dispensableLocked() {
			p.endIdleLocked(i)
		}
		p.mu.Unlock()
	}
}

// dispensableLocked picks an idle worker to end: the longest idle of those with an
// owner, else one that is new beyond those kept in reserve. It is -1 if all are needed.
func (p *Pool) dispensableLocked() int {
	if len(p.idle) <= 1 {
		return -1
	}
	old := func(s *slot) bool { return time.Since(s.since) > idleAfter }
	if i := slices.IndexFunc(p.idle, func(s *slot) bool { return s.owner != "" && old(s) }); i >= 0 {
		return i
	}
	if p.freshLocked() <= max(1, p.reserveLocked()) {
		return -1
	}
	return slices.IndexFunc(p.idle, func(s *slot) bool { return s.owner == "" && old(s) })
}
