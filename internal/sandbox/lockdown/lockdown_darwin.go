package lockdown

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// LayerWatchdog is the memory watchdog of platforms without a kernel limit.
const LayerWatchdog = "memory watchdog"

// watchEvery is how often the watchdog looks.
const watchEvery = 20 * time.Millisecond

// Apply starts a watchdog that ends the process when it grows above its memory.
// macOS has no limit on private memory that its kernel keeps, and no filter for
// system calls that a program may use: the process boundary is the rest.
func Apply(opts Options) (Report, *Memory, error) {
	base, err := peakBytes()
	if err != nil {
		return Report{}, nil, err
	}
	limit := base + int64(opts.MemoryMB+SlackMB)<<20
	go func() {
		for range time.Tick(watchEvery) {
			if now, err := peakBytes(); err == nil && now > limit {
				fmt.Fprintln(os.Stderr, "watchdog: out of memory")
				os.Exit(1)
			}
		}
	}()
	return Report{Active: []string{LayerWatchdog}, Missing: []string{LayerSeccomp + ": macOS has no filter of system calls that a program may use"}}, &Memory{}, nil
}

// peakBytes is the most memory the process has ever held resident; macOS counts
// it in bytes.
func peakBytes() (int64, error) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0, fmt.Errorf("read memory use: %w", err)
	}
	return usage.Maxrss, nil
}
