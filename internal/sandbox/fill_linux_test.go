package sandbox

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"codemode-mcp/internal/sandbox/lockdown"
)

// events keeps what a pool logs.
type events struct {
	mu   sync.Mutex
	list []string
}

func (e *events) log(event string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, fmt.Sprintf("%s: %v", event, err))
}

func (e *events) has(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.list, func(s string) bool { return strings.Contains(s, text) })
}

// Namespaces are given up when the host refuses them before the first worker is
// ready, and never because it was short of something for a moment.
func TestNamespacesAreGivenUp(t *testing.T) {
	tests := []struct {
		name  string
		errs  []error // of the starts with namespaces, one after the other
		kept  bool
		words string
	}{
		{"none", nil, true, ""},
		{"short of processes", []error{syscall.EAGAIN}, true, "resource temporarily unavailable"},
		{"short of memory", []error{syscall.ENOMEM, syscall.EMFILE}, true, "too many open files"},
		{"not permitted", []error{syscall.EPERM, syscall.EPERM, syscall.EPERM}, false, "operation not permitted"},
		{"none left", []error{syscall.ENOSPC, syscall.ENOSPC}, false, "no space left"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log events
			var with atomic.Int64
			p := NewPool(Options{Command: fakeCommand(t, "honest"), MaxWorkers: 1, MemoryMB: 512, QueueWait: honestDeadline, Log: log.log})
			p.opts.start = func(opts Options, isolate bool, _ *os.File) (*process, error) {
				if isolate {
					if n := int(with.Add(1)); n <= len(tt.errs) {
						return nil, fmt.Errorf("start worker: %w", tt.errs[n-1])
					}
				}
				return spawn(opts, false, nil) // the machine of this test may have none
			}
			p.Open()
			defer p.Close()
			info, err := p.Info(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(info.Layers, lockdown.LayerNamespaces); got != tt.kept {
				t.Errorf("layers %v, missing %v", info.Layers, info.Missing)
			}
			if tt.words != "" && !log.has(tt.words) {
				t.Errorf("logged %v", log.list)
			}
			if told := slices.ContainsFunc(info.Missing, func(s string) bool { return strings.Contains(s, lockdown.LayerNamespaces) }); told == tt.kept {
				t.Errorf("missing %v", info.Missing)
			}
		})
	}
}

// Workers that become ready and die are replaced, ever more slowly, and the log says
// what they died of.
func TestYoungDeaths(t *testing.T) {
	var log events
	var starts atomic.Int64
	p := NewPool(Options{Command: fakeCommand(t, "ready-and-dies"), MaxWorkers: 2, MemoryMB: 512, QueueWait: time.Second, Log: log.log, bare: true})
	p.opts.start = func(opts Options, isolate bool, image *os.File) (*process, error) {
		starts.Add(1)
		return spawn(opts, isolate, image)
	}
	begin := time.Now()
	p.Open()
	defer p.Close()
	waitFor(t, "some deaths", func() bool { return starts.Load() >= maxFailures+2 })
	if !log.has("worker ended while it was idle: exit status 3: last words") {
		t.Errorf("logged %v", log.list)
	}
	// Each pause is twice the one before: eight starts have at least 100, 200 and 400 ms
	// between them, one start more being under way. A slow machine only makes it longer.
	waitFor(t, "more deaths", func() bool { return starts.Load() >= maxFailures+5 })
	if took := time.Since(begin); took < 7*restPause {
		t.Errorf("%d starts in %v", starts.Load(), took)
	}
}
