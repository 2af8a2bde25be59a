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
	const timeout = 400 * time.Millisecond
	tests := []struct {
		script      string
		takes, most time.Duration // what the human takes, and what the limit is
		end         End
	}{
		{"asks", 3 * timeout, time.Minute, Returned},
		{"asks-and-computes", time.Minute, time.Minute, TimedOut},
		{"asks-and-calls", time.Minute, time.Minute, TimedOut},
		{"asks", time.Minute, timeout, TimedOut},
		{"asks", time.Minute, 0, TimedOut},
	}
	for _, tt := range tests {
		t.Run(tt.script, func(t *testing.T) {
			p := newPool(t, Options{Command: fakeCommand(t, "deaf"), MaxWorkers: 1})
			h := &human{wait: NewHuman(tt.most), time: tt.takes}
			start := time.Now()
			out := p.Run(context.Background(), "alice", Job{Script: tt.script, Timeout: timeout, Human: h.wait}, h)
			took := time.Since(start)
			if out.End != tt.end {
				t.Errorf("ended as %d after %v: %s", out.End, took, out.Detail)
			}
			limit := timeout + noise
			if tt.script == "asks" {
				limit += min(tt.takes, tt.most)
			}
			if took > limit {
				t.Errorf("took %v", took)
			}
		})
	}
}
