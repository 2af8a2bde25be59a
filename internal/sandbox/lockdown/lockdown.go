// Package lockdown takes a process's rights away before it meets a script.
//
// It owns the resource limits and, on Linux, the system call filter (one table,
// in table.go) and what a worker is born without (namespaces, Landlock). One file
// per platform. It must import no other package of this module.
package lockdown

// Options say what the process still needs.
type Options struct {
	// MemoryMB is the script's memory in MB, on top of what the process holds now.
	MemoryMB int
	// Jitless forbids executable memory: V8 must have been started without a JIT.
	Jitless bool
	// BestEffort goes on when a layer can't be had. Otherwise Apply fails.
	BestEffort bool
}

// Report says which layers are in force, and which are not and why.
type Report struct {
	Active, Missing []string
}

func (r *Report) miss(layer string, err error) { r.Missing = append(r.Missing, layer+": "+err.Error()) }

// The layers, as doctor and the log name them.
const (
	LayerSeccomp    = "seccomp"
	LayerRlimits    = "rlimits"
	LayerLandlock   = "landlock"
	LayerNamespaces = "namespaces"
	LayerJitless    = "jitless"
)

const (
	// SlackMB is what the runtime itself may need on top of a script's memory, in
	// MB: copies of a large source, the TypeScript compiler, the next isolate.
	SlackMB = 48
	// runSlackMB is what it may need while the script runs, in MB: V8's young
	// generation and compiler zones, threads that start late. Measured:
	// docs/rationale.md.
	runSlackMB = 12
	// residueMB is how much more than at first a worker may hold before its next script,
	// in MB. A heap that grew is not given back as the limit counts it.
	residueMB = 24
)
