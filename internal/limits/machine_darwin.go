package limits

import "golang.org/x/sys/unix"

// machineMB is the machine's memory in MB.
func machineMB() int {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return smallMachineMB
	}
	return int(n >> 20)
}
