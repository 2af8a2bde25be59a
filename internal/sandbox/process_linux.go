package sandbox

import "syscall"

// childAttr puts a worker into its own group and ties its life to the thread
// that spawned it.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// SelfCommand is the path of this very binary, also when its file was replaced.
const SelfCommand = "/proc/self/exe"
