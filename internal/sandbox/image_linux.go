package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

func newImageFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("worker-image", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "worker-image"), nil
}

// imageSealed reports whether a file has content that nobody can change.
func imageSealed(file *os.File) bool {
	const all = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	seals, err := unix.FcntlInt(file.Fd(), unix.F_GET_SEALS, 0)
	return err == nil && seals&all == all
}
