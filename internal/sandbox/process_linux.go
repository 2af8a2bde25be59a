package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"codemode-mcp/internal/sandbox/lockdown"
)

// SelfCommand is the path of this very binary, also when its file was replaced.
const SelfCommand = "/proc/self/exe"

// namespaces are what a worker is born into: it sees no other process, no
// network, no shared memory and no later mount.
const namespaces = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWNS

// socketType is that of the frame socket.
const socketType = unix.SOCK_STREAM | unix.SOCK_CLOEXEC

// childAttr puts a worker into its own group, ties its life to the thread that
// spawned it, and gives it namespaces of its own if the host permits them.
func childAttr(isolate bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if isolate {
		attr.Cloneflags = namespaces
	}
	return attr
}

// restrictSpawner takes from the spawning thread, and so from every worker, what
// no worker needs. The error is why it could not.
func restrictSpawner(binary string) error { return lockdown.Landlock(binary) }

// refusesNamespaces reports whether a start failed because the host gives no
// namespaces, and not because it is out of something for a moment.
func refusesNamespaces(err error) bool {
	for _, refusal := range []syscall.Errno{syscall.EPERM, syscall.EINVAL, syscall.ENOSPC, syscall.EACCES, syscall.ENOSYS} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}

// clockTick is the unit of /proc/*/stat: USER_HZ, 100 on every architecture that
// Linux and Go share.
const clockTick = 10 * time.Millisecond

// usage is the processor time the worker has used, and whether one of its threads
// runs or wants to. It is nothing once the worker is being reaped: its number may
// then be another process's.
func (p *process) usage() (used time.Duration, running bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaping {
		return 0, false
	}
	dir := fmt.Sprintf("/proc/%d/", p.cmd.Process.Pid)
	_, used = readStat(dir + "stat")
	tasks, err := os.ReadDir(dir + "task")
	if err != nil {
		return used, false
	}
	for _, t := range tasks {
		if state, _ := readStat(dir + "task/" + t.Name() + "/stat"); state == 'R' {
			return used, true
		}
	}
	return used, false
}

// readStat reads a stat file: the state of a process or a thread and the processor
// time it has used. Both are zero when it is gone.
func readStat(path string) (state byte, used time.Duration) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0
	}
	// The command's name stands in parentheses and may hold anything; the state is
	// the first field after it, user and system time are the 12th and 13th (proc(5)).
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 13 {
		return 0, 0
	}
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, 0
		}
		used += time.Duration(n) * clockTick
	}
	return fields[0][0], used
}

// processorTime is what all threads of the worker have used so far: the clock of its
// process (clock_getcpuclockid(3) makes its number so). It is nothing once the worker
// is being reaped.
func (p *process) processorTime() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaping {
		return 0
	}
	var t unix.Timespec
	if unix.ClockGettime(^int32(p.cmd.Process.Pid)<<3|2, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// slowNiceness is where a worker goes first that computes for long. The kernel has it
// for each thread apart.
const slowNiceness = 15

func setNiceness(thread int) { _ = unix.Setpriority(unix.PRIO_PROCESS, thread, slowNiceness) }

// setIdle lets a thread run when no other wants to (SCHED_IDLE, sched(7)): others that
// wake up then need not wait for its slice to end.
func setIdle(thread int) {
	_ = unix.SchedSetAttr(thread, &unix.SchedAttr{Policy: unix.SCHED_IDLE, Nice: slowNiceness}, 0)
}

// eachThread does something to every thread of the worker. It fails only for those
// that are gone.
func (p *process) eachThread(do func(thread int)) {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", p.cmd.Process.Pid))
	if err != nil {
		return
	}
	for _, t := range tasks {
		if thread, err := strconv.Atoi(t.Name()); err == nil {
			do(thread)
		}
	}
}
