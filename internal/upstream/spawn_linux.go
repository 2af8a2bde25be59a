package upstream

import "syscall"

// childAttr puts a child into its own group and ties its life to the thread that
// starts it.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
