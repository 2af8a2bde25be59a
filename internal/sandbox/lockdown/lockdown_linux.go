package lockdown

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Apply locks the process down for good.
func Apply(opts Options) (Report, *Memory, error) {
	var out Report
	memory, err := openMemory(opts.MemoryMB)
	if err != nil && !opts.BestEffort {
		return out, nil, err
	}
	var failed error
	for _, l := range []struct {
		name  string
		apply func() error
	}{
		{LayerRlimits, func() error { return errors.Join(err, rlimits(memory)) }},
		{LayerSeccomp, func() error { return filter(opts.Jitless) }},
	} {
		if err := l.apply(); err != nil {
			failed = errors.Join(failed, err)
			out.miss(l.name, err)
			continue
		}
		out.Active = append(out.Active, l.name)
	}
	if opts.Jitless {
		out.Active = append(out.Active, LayerJitless)
	}
	if failed != nil && !opts.BestEffort {
		return out, memory, failed
	}
	return out, memory, nil
}

// highestFD bounds the worker's descriptors: its three standard streams, the
// frame socket, the control pipe, and Go's poller with its event descriptor.
const highestFD = 16

func rlimits(memory *Memory) error {
	if memory == nil {
		return nil
	}
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
