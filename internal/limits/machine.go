package limits

import "github.com/KimMachineGun/automemlimit/memlimit"

// smallMachineMB stands in where the machine's memory is unknown.
const smallMachineMB = 2048

// machineMB is the memory there is for us in MB: the machine's, or what a container or
// a unit's MemoryMax leaves of it.
func machineMB() int {
	n, err := memlimit.FromSystem()
	if err != nil || n == 0 {
		n = smallMachineMB << 20
	}
	// The error is that there is no limit, or no way to see one.
	if own, err := memlimit.FromCgroup(); err == nil && own > 0 {
		n = min(n, own)
	}
	return int(n >> 20)
}
