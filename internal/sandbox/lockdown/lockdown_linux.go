package lockdown

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Apply locks the process down for good and names the layers that are in force.
func Apply(opts Options) ([]string, *Memory, error) {
	memory, err := openMemory(opts.MemoryMB)
	if err != nil {
		return nil, nil, err
	}
	var layers []string
	var failed error
	for _, l := range []struct {
		name  string
		apply func() error
	}{
		{LayerRlimits, func() error { return rlimits(memory) }},
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
		return layers, memory, failed
	}
	return layers, memory, nil
}

// highestFD bounds the worker's descriptors: its three standard streams, the
// frame socket, the control pipe, and Go's poller with its event descriptor.
const highestFD = 16

func rlimits(memory *Memory) error {
	if err := dropCapabilities(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("set not dumpable: %w", err)
	}
	for _, l := range []struct {
		resource int
		value    uint64
	}{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_DATA, memory.most},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_NOFILE, highestFD},
	} {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return fmt.Errorf("set resource limit %d: %w", l.resource, err)
		}
	}
	return nil
}

// dropCapabilities takes root's powers from the thread that runs scripts and from
// those it starts: a hard limit must stay hard where the server runs as root
// without namespaces.
func dropCapabilities() error {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&head, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}
