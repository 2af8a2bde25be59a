// Package lockdown takes a process's rights away before it meets a script.
//
// It owns the resource limits and, on Linux, the system call filter, one file
// per platform. It must import no other package of this module.
package lockdown

// Options say what the process still needs.
type Options struct {
	// MemoryMB is the script's memory in MB, on top of what the process holds now.
	MemoryMB int
}

// slackMB is what the runtime itself may need on top of a script's memory, in
// MB: V8's young generation and compiler zones, Go's heap and thread stacks.
const slackMB = 48
