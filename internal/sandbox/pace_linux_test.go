package sandbox

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// threads gives how the kernel schedules each thread of the pool's workers.
func threads(t *testing.T, p *Pool) (all []unix.SchedAttr) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for proc := range p.all {
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", proc.cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			thread, _ := strconv.Atoi(task.Name())
			attr, err := unix.SchedGetAttr(thread, 0)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, *attr)
		}
	}
	return all
}

// A script that computes for long is put below others, with every thread of its worker,
// and the worker serves nobody after it.
func TestComputingIsLowered(t *testing.T) {
	for _, tt := range []struct {
		name string
		many bool
		low  func(a unix.SchedAttr) bool
	}{
		{"one user", false, func(a unix.SchedAttr) bool { return a.Nice == slowNiceness && a.Policy == unix.SCHED_NORMAL }},
		{"many", true, func(a unix.SchedAttr) bool { return a.Policy == unix.SCHED_IDLE }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPool(t, Options{MaxWorkers: 1, Many: tt.many})
			mustReturn(t, p, "alice", "sleep 1500") // waiting is not computing
			for _, a := range threads(t, p) {
				if tt.low(a) {
					t.Errorf("lowered at rest: %+v", a)
				}
			}
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan Outcome)
			go func() { ended <- p.Run(ctx, "alice", Job{Script: "spin", Timeout: honestDeadline}, &handler{}) }()
			waitFor(t, "every thread is lowered", func() bool {
				all := threads(t, p)
				for _, a := range all {
					if !tt.low(a) {
						return false
					}
				}
				return len(all) > 0
			})
			cancel()
			if out := <-ended; out.End != Cancelled {
				t.Errorf("ended as %d: %s", out.End, out.Detail)
			}
			mustReturn(t, p, "alice", "id")
			for _, a := range threads(t, p) {
				if tt.low(a) {
					t.Errorf("the next run's worker is as low: %+v", a)
				}
			}
		})
	}
}
