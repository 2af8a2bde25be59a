package sandbox

import (
	"context"
	"encoding/json"
	"testing"
	"time"
)

// human is a host whose tool a.human asks a human who takes some time; a.slow never
// answers.
type human struct {
	handler
	wait *Human
	time time.Duration
}

func (h *human) Call(_ bool, path string, _ json.RawMessage, reply func(bool, json.RawMessage)) {
	if path == "a.slow" {
		return
	}
	done := h.wait.Wait()
	time.AfterFunc(h.time, func() {
		done()
		reply(true, json.RawMessage("1"))
	})
}

// The clock of a run stands still only while the script is idle and each of its
// calls waits for a human, and not beyond the limit.
func TestClockWaitsForHumans(t *testing.T) {
	const short = 400 * time.Millisecond
	// Who is to return has time for all but the human, however loaded the machine is.
	const long = 3 * time.Second
	tests := []struct {
		script      string
		timeout     time.Duration
		takes, most time.Duration // what the human takes, and what the limit is
		end         End
	}{
		{"asks", long, long + time.Second, time.Minute, Returned},
		{"asks-and-computes", short, time.Minute, time.Minute, TimedOut},
		{"asks-and-calls", short, time.Minute, time.Minute, TimedOut},
		{"asks", short, time.Minute, short, TimedOut},
		{"asks", short, time.Minute, 0, TimedOut},
	}
	for _, tt := range tests {
		t.Run(tt.script, func(t *testing.T) {
			p := newPool(t, Options{Command: fakeCommand(t, "deaf"), MaxWorkers: 1})
			h := &human{wait: NewHuman(tt.most), time: tt.takes}
			start := time.Now()
			out := p.Run(context.Background(), "alice", Job{Script: tt.script, Timeout: tt.timeout, Human: h.wait}, h)
			took := time.Since(start)
			if out.End != tt.end {
				t.Errorf("ended as %d after %v: %s", out.End, took, out.Detail)
			}
			limit := tt.timeout + noise
			if tt.script == "asks" {
				limit += min(tt.takes, tt.most)
			}
			if took > limit {
				t.Errorf("took %v", took)
			}
		})
	}
}
