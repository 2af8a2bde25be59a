package sandbox

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// When no worker can be started the caller is told soon, and why.
func TestWorkersThatDoNotStart(t *testing.T) {
	for _, mode := range []string{"dies", "ends", "hangs-up", "garbage", "other-version", "no-version", "ready-not-json",
		"ready-wrong", "ready-one-part", "ready-giant", "done-first", "call-first"} {
		t.Run(mode, func(t *testing.T) {
			p := newPool(t, Options{Command: fakeCommand(t, mode), MaxWorkers: 2})
			for range 2 {
				start := time.Now()
				out := p.Run(context.Background(), "alice", Job{Script: "id", Timeout: honestDeadline}, &handler{})
				if took := time.Since(start); out.End != Unavailable || !strings.Contains(out.Detail, "no worker can be started: ") || took > noise {
					t.Errorf("ended as %d after %v: %s", out.End, took, out.Detail)
				}
			}
		})
	}
}

func TestNoSuchProgram(t *testing.T) {
	p := newPool(t, Options{Command: []string{"/no/such/program"}, MaxWorkers: 1})
	out := p.Run(context.Background(), "alice", Job{Script: "id", Timeout: honestDeadline}, &handler{})
	if out.End != Unavailable || !strings.Contains(out.Detail, "no such file") {
		t.Errorf("ended as %d: %s", out.End, out.Detail)
	}
}

// A worker that never gets ready costs its caller the wait of the queue.
func TestNeverReady(t *testing.T) {
	for _, mode := range []string{"never-ready", "half-a-frame", "stderr-for-ever"} {
		t.Run(mode, func(t *testing.T) {
			p := newPool(t, Options{Command: fakeCommand(t, mode), MaxWorkers: 1, QueueWait: 100 * time.Millisecond})
			start := time.Now()
			out := p.Run(context.Background(), "alice", Job{Script: "id", Timeout: honestDeadline}, &handler{})
			if took := time.Since(start); out.End != Busy || took > noise {
				t.Errorf("ended as %d after %v: %s", out.End, took, out.Detail)
			}
		})
	}
}

// One that says ready more than once is not trusted, whoever has it by then.
func TestReadyTwice(t *testing.T) {
	p := newPool(t, Options{Command: fakeCommand(t, "ready-twice"), MaxWorkers: 1, QueueWait: time.Second})
	for range 3 {
		if out := p.Run(context.Background(), "alice", Job{Script: "id", Timeout: honestDeadline}, &handler{}); out.End == TimedOut {
			t.Errorf("ended as %d: %s", out.End, out.Detail)
		}
	}
}

// A start that fails once or twice is tried again for the run that waits.
func TestFailedStartIsRepeated(t *testing.T) {
	repeated := 0
	for i := range 20 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			// A worker can tell starts apart by the clock only.
			healthy := time.Now().Add(time.Duration(4*i+2) * time.Millisecond).UnixNano()
			var failed atomic.Int64
			p := newPool(t, Options{Command: fakeCommand(t, "dies-before", fmt.Sprint(healthy)), MaxWorkers: 1,
				Log: func(string, error) { failed.Add(1) }})
			start := time.Now()
			out := p.Run(context.Background(), "alice", Job{Script: "id", Timeout: honestDeadline}, &handler{})
			if took := time.Since(start); took > noise {
				t.Errorf("took %v", took)
			}
			switch {
			case out.End == Returned && failed.Load() > 0:
				repeated++
			case out.End != Returned && failed.Load() < maxFailures-1: // the last one may be logged later
				t.Errorf("ended as %d after %d failures: %s", out.End, failed.Load(), out.Detail)
			}
		})
	}
	if repeated == 0 {
		t.Error("no start failed and was repeated")
	}
}

func TestInfo(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 1})
	info, err := p.Info(context.Background())
	if err != nil || info.Engine != "none" {
		t.Errorf("got %+v, %v", info, err)
	}
	mustReturn(t, p, "alice", "id")
	if _, err := p.Info(context.Background()); err != nil {
		t.Error(err)
	}
}

// Close ends whatever is under way and waits for nothing else.
func TestClose(t *testing.T) {
	closes := func(t *testing.T, p *Pool) {
		t.Helper()
		start := time.Now()
		p.Close()
		if took := time.Since(start); took > noise {
			t.Errorf("Close took %v", took)
		}
		if out := p.Run(context.Background(), "alice", Job{Script: "id"}, &handler{}); out.End != Unavailable {
			t.Errorf("a run after Close ended as %d", out.End)
		}
	}
	open := func(t *testing.T, mode string, opts Options) *Pool {
		opts.Command = fakeCommand(t, mode)
		opts.QueueWait = honestDeadline
		p := NewPool(opts)
		p.Open()
		return p
	}
	t.Run("starting", func(t *testing.T) { closes(t, open(t, "slow", Options{MaxWorkers: 2, Warm: 2})) })
	t.Run("never ready", func(t *testing.T) { closes(t, open(t, "never-ready", Options{MaxWorkers: 2, Warm: 2})) })
	t.Run("idle", func(t *testing.T) {
		p := open(t, "honest", Options{MaxWorkers: 1})
		mustReturn(t, p, "alice", "id")
		closes(t, p)
	})
	t.Run("busy, with a queue", func(t *testing.T) {
		p := open(t, "deaf", Options{MaxWorkers: 1})
		ends := make(chan Outcome, 3)
		for range 3 {
			go func() {
				ends <- p.Run(context.Background(), "alice", Job{Script: "sleep 60000", Timeout: time.Minute}, &handler{})
			}()
		}
		waitFor(t, "two runs wait", func() bool { return p.waiting() == 2 })
		closes(t, p)
		for range 3 {
			if out := <-ends; out.End != Unavailable && out.End != Crashed {
				t.Errorf("a run under way ended as %d: %s", out.End, out.Detail)
			}
		}
	})
}
