package sandbox

import "time"

// step is where a worker's threads go when its run has used so much processor time.
// There is no way back up, so that such a worker is replaced after its run.
type step struct {
	after time.Duration
	lower func(thread int)
}

var (
	// aloneSteps are for the server of one user, whose scripts only delay each other.
	aloneSteps = []step{{time.Second, setNiceness}}
	// manySteps are for the server of many: short scripts come first, and those that
	// go on computing get what nobody else wants.
	manySteps = []step{{250 * time.Millisecond, setNiceness}, {time.Second, setIdle}}
)

// minLook is the least time between two looks at a run.
const minLook = 20 * time.Millisecond

// pace looks at how much one run computes.
type pace struct {
	p     *process
	base  time.Duration // processor time of the worker before the run
	left  []step        // not taken yet
	timer *time.Timer
}

func (p *process) newPace() *pace {
	return &pace{p: p, base: p.processorTime(), left: p.steps, timer: time.NewTimer(p.steps[0].after)}
}

// look takes the steps that are due, and sets the timer for the next.
func (c *pace) look() {
	used := c.p.processorTime() - c.base
	for len(c.left) > 0 && used >= c.left[0].after {
		c.p.slowDown(c.left[0].lower)
		c.left = c.left[1:]
	}
	if len(c.left) > 0 {
		c.timer.Reset(max(c.left[0].after-used, minLook))
	}
}
