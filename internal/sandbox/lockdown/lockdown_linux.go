package lockdown

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Apply locks the process down and names the layers that are in force.
func Apply(opts Options) ([]string, error) {
	var layers []string
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return layers, fmt.Errorf("set not dumpable: %w", err)
	}
	data, err := dataBytes()
	if err != nil {
		return layers, err
	}
	for _, l := range []struct {
		resource int
		value    uint64
	}{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_DATA, data + uint64(opts.MemoryMB+slackMB)<<20},
	} {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return layers, fmt.Errorf("set resource limit %d: %w", l.resource, err)
		}
	}
	return append(layers, "rlimits"), nil
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
	return 0, fmt.Errorf("read data size: /proc/self/status has no VmData")
}
