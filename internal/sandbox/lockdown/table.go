package lockdown

import "slices"

// A verdict is what happens to a system call that matches a row.
type verdict int

const (
	// allow lets the call through.
	allow verdict = iota
	// kill ends the process: nothing but an exploit makes such a call.
	kill
	// absent answers ENOSYS, so that the caller falls back to an older call.
	absent
)

// A rule is one row of the policy. What no row names gets EPERM.
type rule struct {
	call    string
	verdict verdict
	// only is the architecture that has the call; empty means both.
	only string
	// when must hold for the row to match; nil always does.
	when []condition
}

// A condition is a test of one argument.
type condition struct {
	arg  uint32
	test test
	// value is compared with the argument; self stands for the process's own id.
	value uint64
	self  bool
}

type test int

const (
	equal test = iota
	bitsSet
	bitsClear
)

// Values of arguments in the table, from the kernel's headers.
const (
	cloneThread = 0x10000 // CLONE_THREAD
	protExec    = 0x4     // PROT_EXEC
	rlimitData  = 2       // RLIMIT_DATA
	setName     = 15      // PR_SET_NAME
	setVMA      = 0x53564d41
	// uncounted are MAP_SHARED and MAP_GROWSDOWN: RLIMIT_DATA does not count such memory.
	uncounted = 0x1 | 0x100
)

var (
	self     = []condition{{arg: 0, test: equal, self: true}}
	thread   = []condition{{arg: 0, test: bitsSet, value: cloneThread}}
	readOnly = []condition{{arg: 0, test: equal, value: 0}, {arg: 2, test: equal, value: 0}}
	dataOnly = []condition{{arg: 0, test: equal, value: 0}, {arg: 1, test: equal, value: rlimitData}}
	named    = []condition{{arg: 0, test: equal, value: setName}}
	vma      = []condition{{arg: 0, test: equal, value: setVMA}}
	noExec   = []condition{{arg: 2, test: bitsClear, value: protExec}}
	counted  = []condition{{arg: 3, test: bitsClear, value: uncounted}}
)

// fcntl is a condition on fcntl's command.
func fcntl(command uint64) []condition {
	return []condition{{arg: 1, test: equal, value: command}}
}

// table is the whole policy, sorted by name. It was made by watching a worker
// with strace over the hostile corpus, after start-up, and by reading what V8
// and Go's runtime call on their rare roads.
//
// Opening anything is not in it: what V8 and ICU read once, such as the time
// zone, is read before. Nor is fork: clone needs CLONE_THREAD, and clone3, whose
// flags lie in memory where a filter can't look, answers ENOSYS.
var table = []rule{
	{call: "bpf", verdict: kill},
	{call: "brk"},           // glibc's malloc
	{call: "clock_getres"},  // the vDSO's fallback
	{call: "clock_gettime"}, // the vDSO's fallback
	{call: "clock_nanosleep"},
	{call: "clone", when: thread}, // Go and V8 start threads late
	{call: "clone3", verdict: absent},
	{call: "close"},
	{call: "epoll_create1"}, // Go's poller, when a timer starts it
	{call: "epoll_ctl"},
	{call: "epoll_pwait"},
	{call: "eventfd2"},
	{call: "execve", verdict: kill},
	{call: "execveat", verdict: kill},
	{call: "exit"},
	{call: "exit_group"},
	// fcntl without F_SETOWN and F_SETSIG, by which the kernel would send a signal to
	// any process of the same user.
	{call: "fcntl", when: fcntl(0)},    // F_DUPFD
	{call: "fcntl", when: fcntl(1)},    // F_GETFD
	{call: "fcntl", when: fcntl(2)},    // F_SETFD
	{call: "fcntl", when: fcntl(3)},    // F_GETFL
	{call: "fcntl", when: fcntl(4)},    // F_SETFL
	{call: "fcntl", when: fcntl(1030)}, // F_DUPFD_CLOEXEC
	{call: "fork", verdict: kill, only: "amd64"},
	{call: "fstat"},
	{call: "futex"},
	{call: "getpid"},
	{call: "getrandom"},
	{call: "getrusage"}, // V8's heap statistics
	{call: "gettid"},
	{call: "gettimeofday"}, // the vDSO's fallback
	{call: "init_module", verdict: kill},
	{call: "io_uring_enter", verdict: kill},
	{call: "io_uring_register", verdict: kill},
	{call: "io_uring_setup", verdict: kill},
	{call: "kexec_load", verdict: kill},
	{call: "lseek"},
	{call: "madvise"}, // V8 and Go give memory back
	{call: "membarrier"},
	{call: "mincore"},
	{call: "mmap", when: counted}, // in jitless mode without PROT_EXEC
	{call: "mount", verdict: kill},
	{call: "mprotect"}, // in jitless mode without PROT_EXEC
	{call: "mremap"},   // glibc's realloc
	{call: "munmap"},
	{call: "nanosleep"}, // Go's scheduler
	{call: "open_by_handle_at", verdict: kill},
	{call: "perf_event_open", verdict: kill},
	{call: "pivot_root", verdict: kill},
	{call: "pkey_alloc"}, // V8 guards its code pages with keys
	{call: "pkey_free"},
	{call: "pkey_mprotect"}, // in jitless mode without PROT_EXEC
	{call: "ppoll"},         // the wait for an answer while a timer runs
	{call: "prctl", when: named},
	{call: "prctl", when: vma},          // Go names its memory
	{call: "pread64"},                   // the data size, from a file opened before
	{call: "prlimit64", when: readOnly}, // glibc asks for the stack size
	{call: "prlimit64", when: dataOnly}, // each script's memory, below the hard limit
	{call: "process_vm_readv", verdict: kill},
	{call: "process_vm_writev", verdict: kill},
	{call: "ptrace", verdict: kill},
	{call: "read"},
	{call: "restart_syscall"},
	{call: "rseq"}, // glibc, for each new thread
	{call: "rt_sigaction"},
	{call: "rt_sigprocmask"},
	{call: "rt_sigreturn"},
	{call: "sched_getaffinity"},
	{call: "sched_getparam"}, // V8, for each new thread
	{call: "sched_getscheduler"},
	{call: "sched_yield"},
	{call: "set_robust_list"}, // glibc, for each new thread
	{call: "setns", verdict: kill},
	{call: "sigaltstack"},
	{call: "socket", verdict: kill},
	{call: "socketpair", verdict: kill},
	{call: "swapon", verdict: kill},
	{call: "tgkill", when: self}, // Go preempts its threads; abort
	{call: "umount2", verdict: kill},
	{call: "unshare", verdict: kill},
	{call: "userfaultfd", verdict: kill},
	{call: "vfork", verdict: kill, only: "amd64"},
	{call: "write"},
	{call: "writev"}, // V8 and glibc say their last words
}

// rules gives the table for an architecture ("amd64", "arm64") and mode.
func rules(arch string, jitless bool) []rule {
	var out []rule
	for _, r := range table {
		if r.only != "" && r.only != arch {
			continue
		}
		if jitless && (r.call == "mmap" || r.call == "mprotect" || r.call == "pkey_mprotect") {
			r.when = slices.Concat(r.when, noExec)
		}
		out = append(out, r)
	}
	return out
}
