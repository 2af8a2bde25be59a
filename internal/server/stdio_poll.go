package server

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeClosed asks the kernel whether a pipe has a reader left.
func pipeClosed(f *os.File) bool {
	fds := []unix.PollFd{{Fd: int32(f.Fd())}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
