//go:build !linux

package upstream

import "syscall"

// childAttr puts a child into its own group. Here it learns of our death only by
// the end of its input.
func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
