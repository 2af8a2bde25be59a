package limits

import "sync/atomic"

// Budget counts the tool calls of one run. It is safe for concurrent use.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// NewBudget allows limit calls.
func NewBudget(limit int) *Budget { return &Budget{limit: int64(limit)} }

// Verdict says what a call may do.
type Verdict int

// The verdicts on a call.
const (
	// Granted: within the limit.
	Granted Verdict = iota
	// Refused: above the limit. The script may catch it: calls that it made at once
	// are all refused.
	Refused
	// Exhausted: so many above the limit that the script can't have made them at
	// once and mean to go on. It ends the run.
	Exhausted
)

// maxBurst is how many calls above the limit, and as many as the limit, are
// refused one by one.
const maxBurst = 100

// Take asks for one call.
func (b *Budget) Take() Verdict {
	switch n := b.used.Add(1); {
	case n <= b.limit:
		return Granted
	case n <= 2*b.limit+maxBurst:
		return Refused
	default:
		return Exhausted
	}
}

// Used is the number of calls that were granted.
func (b *Budget) Used() int { return int(min(b.used.Load(), b.limit)) }

// Limit is the number of calls that may be granted.
func (b *Budget) Limit() int { return int(b.limit) }
