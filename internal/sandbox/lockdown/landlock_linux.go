package lockdown

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// errNoLandlock means that the kernel has none, or has it switched off.
var errNoLandlock = errors.New("landlock is not available")

// Landlock restricts the calling thread, and every process it starts from then
// on, to reading what a worker needs to start: its own binary and the system's
// libraries. The thread must be locked and do nothing else but start workers.
// Only go-landlock's way over all threads would need libpsx; a thread of its own
// needs nothing.
func Landlock(binary string) error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return fmt.Errorf("%w: %w", errNoLandlock, errno)
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: fsRights(int(version))}
	if version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("create landlock ruleset: %w", errno)
	}
	defer unix.Close(int(fd))
	for _, path := range readable(binary) {
		if err := allowReading(int(fd), path); err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("restrict by landlock: %w", errno)
	}
	return nil
}

// readable lists what a worker opens before it is locked down.
func readable(binary string) []string {
	paths := []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime", "/proc", "/sys", "/dev/null"}
	if resolved, err := filepath.EvalSymlinks(binary); err == nil {
		binary = resolved
	}
	return append(paths, binary)
}

// fsRights are the rights that a version of Landlock knows: all are taken away.
func fsRights(version int) uint64 {
	rights := uint64(unix.LANDLOCK_ACCESS_FS_MAKE_SYM)<<1 - 1 // all of version 1
	if version >= 2 {
		rights |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 5 {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

func allowReading(ruleset int, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // not on this system
	}
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil // what can't be opened need not be allowed
	}
	defer unix.Close(fd)
	rights := uint64(unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE)
	if info.IsDir() {
		rights |= unix.LANDLOCK_ACCESS_FS_READ_DIR
	}
	if path == "/dev/null" { // a worker's standard input
		rights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("allow reading %s: %w", path, errno)
	}
	return nil
}
