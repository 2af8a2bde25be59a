package sandbox

import (
	"sync"
	"time"
)

// Human counts the calls of one run that wait for a human. Make it with [NewHuman].
type Human struct {
	limit   time.Duration
	changed chan struct{} // has room for one: somebody began to wait

	mu    sync.Mutex
	waits int // guarded by mu
}

// NewHuman lets a run wait for humans for at most limit in all.
func NewHuman(limit time.Duration) *Human {
	return &Human{limit: limit, changed: make(chan struct{}, 1)}
}

// Wait says that one call of the run waits for a human until done is called.
func (h *Human) Wait() (done func()) {
	h.mu.Lock()
	h.waits++
	h.mu.Unlock()
	select {
	case h.changed <- struct{}{}:
	default:
	}
	return sync.OnceFunc(func() {
		h.mu.Lock()
		h.waits--
		h.mu.Unlock()
	})
}

func (h *Human) waiting() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.waits
}

// humanLook is how often a clock looks at a run that waits for a human.
const humanLook = 100 * time.Millisecond

// clock is the wall time of one run. It stands still while the script does nothing
// and each of its calls waits for a human, within the human limit. Whether the
// script does nothing is the kernel's word, not the worker's: the time counts when
// one of its threads runs or wants to, or has used the processor.
type clock struct {
	r       *run
	human   *Human
	timer   *time.Timer
	timeout time.Duration
	began   <-chan struct{} // a call began to wait for a human
	tick    <-chan time.Time
	ticker  *time.Ticker

	paused time.Duration
	at     time.Time     // of the last look
	used   time.Duration // processor time then
	still  bool          // whether all calls waited then
}

func (r *run) newClock(timeout time.Duration, human *Human) *clock {
	if human == nil {
		human = NewHuman(0)
	}
	// Sending the script counts.
	return &clock{r: r, human: human, timeout: timeout, began: human.changed, timer: time.NewTimer(timeout - time.Since(r.start))}
}

func (c *clock) stop() {
	c.timer.Stop()
	if c.ticker != nil {
		c.ticker.Stop()
	}
}

// watch begins to look at the run: a call waits for a human.
func (c *clock) watch() {
	if c.ticker != nil || c.human.limit <= 0 {
		return
	}
	c.ticker = time.NewTicker(humanLook)
	c.tick = c.ticker.C
	c.look()
}

// look gives back the time since the last look, if the run did nothing but wait for
// a human. When no call waits any more it ends the watch.
func (c *clock) look() {
	now := time.Now()
	used, running := c.r.p.usage()
	waits := c.human.waiting()
	still := waits > 0 && waits >= c.r.calling() && !running
	took := now.Sub(c.at)
	if still && c.still && used-c.used <= took/10 {
		c.paused = min(c.paused+took, c.human.limit)
		c.timer.Reset(c.left())
	}
	c.at, c.used, c.still = now, used, still
	if waits == 0 {
		c.ticker.Stop()
		c.ticker, c.tick = nil, nil
	}
}

// left is what is left of the run's time.
func (c *clock) left() time.Duration { return c.timeout + c.paused - time.Since(c.r.start) }

// over reports whether the time is over, now that the timer has fired.
func (c *clock) over() bool {
	if c.ticker != nil {
		c.look() // what it gives back sets the timer again
	}
	return c.left() <= 0
}

// calling is how many calls have no answer.
func (r *run) calling() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.open)
}
