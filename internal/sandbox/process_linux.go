package sandbox

import (
	"bytes"
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
// no worker needs. It gives the name of the layer, or nothing where the kernel
// has none.
func restrictSpawner(binary string) string {
	if lockdown.Landlock(binary) != nil {
		return ""
	}
	return lockdown.LayerLandlock
}

// clockTick is the unit of /proc/*/stat: USER_HZ, 100 on every architecture that
// Linux and Go share.
const clockTick = 10 * time.Millisecond

// cpuTime is the CPU time the worker has used, or 0 when it is gone.
func (p *process) cpuTime() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	// The command's name stands in parentheses and may hold anything; user and
	// system time are the 12th and 13th field after it (proc(5)).
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 13 {
		return 0
	}
	var total time.Duration
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0
		}
		total += time.Duration(n) * clockTick
	}
	return total
}
