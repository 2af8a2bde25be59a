//go:build !linux

package sandbox

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// SelfCommand is the path of this binary.
var SelfCommand = func() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}()

// socketType is that of the frame socket.
const socketType = unix.SOCK_STREAM

// childAttr puts a worker into its own group. Here its life is tied to the server
// by the control pipe alone.
func childAttr(bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func restrictSpawner(string) error { return nil }

func refusesNamespaces(error) bool { return false }

// usage is not known here: a worker that waits for a human is taken to be idle.
func (p *process) usage() (used time.Duration, running bool) { return 0, false }

// processorTime is not known here: no worker is ever put below others.
func (p *process) processorTime() time.Duration { return 0 }

func setNiceness(int) {}

func setIdle(int) {}

func (p *process) eachThread(func(int)) {}
