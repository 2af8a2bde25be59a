package server

import (
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"
)

const (
	// maxParked bounds the calls that wait for a client, of one principal and in all.
	maxParkedOfOne = 16
	maxParked      = 256
)

// talks are the parked calls.
type talks struct {
	mu     sync.Mutex
	parked map[string]*parked // guarded by mu: by state
	wg     sync.WaitGroup     // one for each talk's work
}

type parked struct {
	*talk
	timer *time.Timer
}

// park keeps a call for a time, if there is room. The state leads to it once.
func (p *talks) park(t *talk, keep time.Duration) (state string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.parked == nil {
		p.parked = map[string]*parked{}
	}
	own := 0
	for _, other := range p.parked {
		if other.principal == t.principal {
			own++
		}
	}
	if own >= maxParkedOfOne || len(p.parked) >= maxParked {
		return "", false
	}
	state = rand.Text()
	p.parked[state] = &parked{t, time.AfterFunc(keep, func() {
		p.mu.Lock()
		delete(p.parked, state)
		p.mu.Unlock()
		t.cancel()
	})}
	return state, true
}

// take gives a parked call to who may go on with it, or nil.
func (p *talks) take(state, principal string, digest [sha256.Size]byte) *talk {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.parked[state]
	if t == nil || t.principal != principal || t.digest != digest || !t.timer.Stop() {
		return nil
	}
	delete(p.parked, state)
	return t.talk
}

// close ends all parked calls and waits for their work. Nothing may begin any more.
func (p *talks) close() {
	p.mu.Lock()
	for state, t := range p.parked {
		t.timer.Stop()
		t.cancel()
		delete(p.parked, state)
	}
	p.mu.Unlock()
	p.wg.Wait()
}
