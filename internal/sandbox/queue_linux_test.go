package sandbox

import (
	"fmt"
	"sync"
	"testing"
)

// Principals that come in turn keep their workers as long as there is room for them
// besides those that work, and one that is new to all stands ready. What is too much is
// ended, the longest idle first.
func TestSpareWorkers(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 2, Spare: 3, Many: true})
	run := func(owner string) string {
		t.Helper()
		waitFor(t, "a new worker and no start", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return p.freshLocked() == 1 && p.starting == 0 && p.workingLocked() == 0
		})
		return mustReturn(t, p, owner, "id")
	}
	first := map[string]string{}
	for _, owner := range []string{"alice", "bob", "carol", "dan"} {
		first[owner] = run(owner)
	}
	for owner, id := range first {
		if again := run(owner); again != id {
			t.Errorf("%s had worker %s, then %s", owner, id, again)
		}
	}
	oldest := run("alice")
	for _, owner := range []string{"bob", "carol", "dan"} {
		run(owner)
	}
	run("erin")
	if again := run("bob"); again != first["bob"] {
		t.Errorf("bob's worker made room, and not alice's")
	}
	if again := run("alice"); again == oldest {
		t.Error("five principals and a new worker in five processes")
	}
}

// The spare workers are no places: no more runs go on than may.
func TestSpareWorkersAreNoPlaces(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 2, Spare: 6, Many: true})
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() { mustReturn(t, p, fmt.Sprint(i), "sleep 300") })
	}
	quit, seen := make(chan struct{}), 0
	go func() { wg.Wait(); close(quit) }()
	for {
		select {
		case <-quit:
			if seen != 2 {
				t.Errorf("%d runs went on at once, want 2", seen)
			}
			return
		default:
			seen = max(seen, p.Stats().Running)
		}
	}
}

// Of a principal's workers the one that worked last is taken first.
func TestLastWorkerFirst(t *testing.T) {
	p := newPool(t, Options{MaxWorkers: 3, Warm: 3})
	waitFor(t, "three are ready", func() bool { return idle(p) == 3 })
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { mustReturn(t, p, "alice", "sleep 100") })
	}
	wg.Wait()
	waitFor(t, "three are back", func() bool { return idle(p) == 3 })
	last := mustReturn(t, p, "alice", "id")
	waitFor(t, "it is back", func() bool { return idle(p) == 3 })
	if again := mustReturn(t, p, "alice", "id"); again != last {
		t.Errorf("worker %s after %s", again, last)
	}
}
