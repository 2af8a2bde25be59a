package limits

import "golang.org/x/sys/unix"

// machineMB is the machine's memory in MB.
func machineMB() int {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return smallMachineMB
	}
	return int(uint64(info.Totalram) * uint64(info.Unit) >> 20)
}
