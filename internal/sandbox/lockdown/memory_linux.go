package lockdown

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Memory is the process's limit on private memory (RLIMIT_DATA). Its hard value
// is set once; the soft one goes down for the time of a script, to what the
// process holds when the script begins plus the script's memory.
type Memory struct {
	statm  *os.File // kept open: after the lockdown nothing can be opened
	script uint64   // a script's memory in bytes
	base   uint64   // what the process held before its first script, in bytes
	most   uint64   // the hard limit in bytes
}

func openMemory(memoryMB int) (*Memory, error) {
	f, err := os.Open("/proc/self/statm")
	if err != nil {
		return nil, fmt.Errorf("read data size: %w", err)
	}
	m := &Memory{statm: f, script: uint64(memoryMB) << 20}
	now, err := m.held()
	if err != nil {
		return nil, err
	}
	m.base = now
	m.most = now + m.script + SlackMB<<20
	return m, nil
}

// Begin bounds the memory of the script that is about to run.
func (m *Memory) Begin() error {
	if m == nil { // best effort: the limit could not be had
		return nil
	}
	now, err := m.held()
	if err != nil {
		return err
	}
	return m.set(min(now+m.script+runSlackMB<<20, m.most))
}

// End lifts the bound of a script that has ended, up to the hard limit.
func (m *Memory) End() error {
	if m == nil {
		return nil
	}
	return m.set(m.most)
}

// Worn reports whether earlier scripts have left so much behind that the next one's
// source would have less memory to be compiled in.
func (m *Memory) Worn() bool {
	if m == nil {
		return false
	}
	now, err := m.held()
	return err != nil || now > m.base+residueMB<<20
}

func (m *Memory) set(soft uint64) error {
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: soft, Max: m.most}); err != nil {
		return fmt.Errorf("set memory limit: %w", err)
	}
	return nil
}

// held is what the kernel counts now, in bytes: the sixth field of statm, data
// and stack in pages (proc(5)).
func (m *Memory) held() (uint64, error) {
	var b [128]byte
	n, err := unix.Pread(int(m.statm.Fd()), b[:], 0)
	if err != nil {
		return 0, fmt.Errorf("read data size: %w", err)
	}
	fields := bytes.Fields(b[:n])
	if len(fields) < 6 {
		return 0, fmt.Errorf("read data size: statm is %q", b[:n])
	}
	pages, err := strconv.ParseUint(string(fields[5]), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read data size: %w", err)
	}
	return pages * uint64(os.Getpagesize()), nil
}
