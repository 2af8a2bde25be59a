package lockdown

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Apply locks the process down for good and names the layers that are in force.
func Apply(opts Options) ([]string, error) {
	var layers []string
	var failed error
	for _, l := range []struct {
		name  string
		apply func() error
	}{
		{LayerRlimits, func() error { return rlimits(opts.MemoryMB) }},
		{LayerSeccomp, func() error { return filter(opts.Jitless) }},
	} {
		if err := l.apply(); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		layers = append(layers, l.name)
	}
	if opts.Jitless {
		layers = append(layers, LayerJitless)
	}
	if failed != nil && !opts.BestEffort {
		return layers, failed
	}
	return layers, nil
}

// highestFD bounds the worker's descriptors: its three standard streams, the
// frame socket, the control pipe, and Go's poller with its event descriptor.
const highestFD = 16

func rlimits(memoryMB int) error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("set not dumpable: %w", err)
	}
	data, err := dataBytes()
	if err != nil {
		return err
	}
	for _, l := range []struct {
		resource int
		value    uint64
	}{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_DATA, data + uint64(memoryMB+slackMB)<<20},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_NOFILE, highestFD},
	} {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return fmt.Errorf("set resource limit %d: %w", l.resource, err)
		}
	}
	return nil
}

// dataBytes is what RLIMIT_DATA counts now: private writable memory.
func dataBytes() (uint64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("read data size: %w", err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmData:"); ok {
			kb, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err != nil {
				return 0, fmt.Errorf("read data size: %w", err)
			}
			return kb << 10, nil
		}
	}
	return 0, errors.New("read data size: /proc/self/status has no VmData")
}
