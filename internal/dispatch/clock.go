package dispatch

import (
	"context"
	"sync"
	"time"

	"codemode-mcp/internal/catalog"
)

// clock bounds the wall time of one call. It stands still while the call waits for
// a human, but not for longer than the human limit in all.
type clock struct {
	timer *time.Timer
	begin func() (end func()) // the clock above, told once for all waits at a time

	mu    sync.Mutex
	waits int           // guarded by mu: waits under way
	end   func()        // guarded by mu: ends the wait of the clock above
	since time.Time     // guarded by mu: when the clock last started or stopped
	left  time.Duration // guarded by mu: of the call's own time
	human time.Duration // guarded by mu: left for humans
}

// withClock bounds a call. Its context ends with the cause when the time is over.
func withClock(ctx context.Context, timeout, human time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &clock{left: timeout, human: human, since: time.Now()}
	c.begin = func() func() { return catalog.WaitForHuman(ctx) }
	c.timer = time.AfterFunc(timeout, func() { cancel(cause) })
	return catalog.WithHuman(ctx, c.wait), func() {
		c.timer.Stop()
		cancel(nil)
	}
}

// wait begins a wait for a human.
func (c *clock) wait() (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waits++; c.waits == 1 {
		c.end = c.begin()
		// A timer that has fired has ended the call: nothing is given back to it.
		if c.timer.Stop() {
			now := time.Now()
			c.left -= now.Sub(c.since)
			c.since = now
			c.timer.Reset(c.left + c.human)
		}
	}
	return sync.OnceFunc(c.waited)
}

func (c *clock) waited() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waits--; c.waits > 0 {
		return
	}
	c.end()
	if c.timer.Stop() {
		now := time.Now()
		took := now.Sub(c.since)
		c.left -= max(0, took-c.human)
		c.human = max(0, c.human-took)
		c.since = now
		c.timer.Reset(c.left)
	}
}
