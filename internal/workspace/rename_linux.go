package workspace

import (
	"errors"

	"golang.org/x/sys/unix"
)

// rename moves src to dst between the folders both hold open. Without replaces,
// the kernel itself refuses when dst exists by now.
func rename(src, dst *place, replaces bool) error {
	from, err := src.dir.Open(".")
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := dst.dir.Open(".")
	if err != nil {
		return err
	}
	defer to.Close()
	if replaces {
		return unix.Renameat(int(from.Fd()), src.base, int(to.Fd()), dst.base)
	}
	err = unix.Renameat2(int(from.Fd()), src.base, int(to.Fd()), dst.base, unix.RENAME_NOREPLACE)
	switch {
	case errors.Is(err, unix.EEXIST):
		return errTaken
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS): // a file system without the flag
		if _, err := dst.dir.Lstat(dst.base); err == nil {
			return errTaken
		}
		return unix.Renameat(int(from.Fd()), src.base, int(to.Fd()), dst.base)
	}
	return err
}
