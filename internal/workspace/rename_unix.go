//go:build unix && !linux

package workspace

import "golang.org/x/sys/unix"

// rename moves src to dst between the folders both hold open. Without replaces
// it looks first: the path locks keep our own calls away meanwhile.
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
	if !replaces {
		if _, err := dst.dir.Lstat(dst.base); err == nil {
			return errTaken
		}
	}
	return unix.Renameat(int(from.Fd()), src.base, int(to.Fd()), dst.base)
}
