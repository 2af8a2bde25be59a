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
	// Refused: the first call above the limit. The script may catch it.
	Refused
	// Exhausted: a call after a refused one. It ends the run.
	Exhausted
)

// Take asks for one call.
func (b *Budget) Take() Verdict {
	switch n := b.used.Add(1); {
	case n <= b.limit:
		return Granted
	case n == b.limit+1:
		return Refused
	default:
		return Exhausted
	}
}

// Used is the number of calls that were granted.
func (b *Budget) Used() int { return int(min(b.used.Load(), b.limit)) }

// Limit is the number of calls that may be granted.
func (b *Budget) Limit() int { return int(b.limit) }
