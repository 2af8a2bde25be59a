package lockdown

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the diff")

// attemptVariable turns the test binary into a child that locks itself down and
// then tries one forbidden thing.
const attemptVariable = "LOCKDOWN_ATTEMPT"

func TestMain(m *testing.M) {
	if name := os.Getenv(attemptVariable); name != "" {
		os.Exit(attempt(name))
	}
	os.Exit(m.Run())
}

// attempts are tried for real in a locked-down child. What is refused with an
// error gives that error; what kills gives nothing.
var attempts = map[string]func() error{
	"nothing": func() error { return nil },
	"open a file": func() error {
		_, err := unix.Open("/etc/passwd", unix.O_RDONLY, 0)
		return err
	},
	"read own environment": func() error {
		_, err := os.ReadFile("/proc/self/environ")
		return err
	},
	"create a file": func() error {
		return os.WriteFile("/tmp/lockdown-test", []byte("x"), 0o600)
	},
	"raise a limit": func() error {
		return unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 1024, Max: 1024})
	},
	"raise the memory limit": func() error {
		return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: 1 << 40, Max: 1 << 40})
	},
	"signal the parent":        func() error { return unix.Kill(os.Getppid(), 0) },
	"signal a parent's thread": func() error { return unix.Tgkill(os.Getppid(), os.Getppid(), 0) },
	"fork": func() error {
		_, _, errno := unix.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0)
		return refused(errno)
	},
	"fork by clone3": func() error {
		args := [11]uint64{4: uint64(unix.SIGCHLD)} // struct clone_args: exit_signal is the fifth
		_, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args), 0)
		return refused(errno)
	},
	"signal by descriptor": func() error {
		_, err := unix.FcntlInt(1, unix.F_SETOWN, os.Getppid())
		return err
	},
	"read descriptor flags": func() error {
		_, err := unix.FcntlInt(1, unix.F_GETFL, 0)
		return err
	},
	"make itself dumpable": func() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0) },
	"duplicate a descriptor by name": func() error {
		_, err := unix.Open("/proc/self/fd/1", unix.O_RDWR, 0)
		return err
	},
	"connect": func() error { _, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0); return err },
	"connect by io_uring": func() error {
		var params [120]byte
		_, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0)
		return refused(errno)
	},
	"execute":          func() error { return unix.Exec("/bin/true", []string{"true"}, nil) },
	"trace the parent": func() error { return unix.PtraceAttach(os.Getppid()) },
	"read the parent's memory": func() error {
		var b [8]byte
		local := []unix.Iovec{{Base: &b[0], Len: 8}}
		_, err := unix.ProcessVMReadv(os.Getppid(), local, []unix.RemoteIovec{{Base: 0x1000, Len: 8}}, 0)
		return err
	},
	"mount":                 func() error { return unix.Mount("none", "/tmp", "tmpfs", 0, "") },
	"new namespaces":        func() error { return unix.Unshare(unix.CLONE_NEWUSER) },
	"load a program":        func() error { _, _, e := unix.Syscall(unix.SYS_BPF, 0, 0, 0); return refused(e) },
	"map executable memory": func() error { return executable() },
	"make memory executable": func() error {
		m, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return err
		}
		return unix.Mprotect(m, unix.PROT_READ|unix.PROT_EXEC)
	},
	"more memory than allowed": func() error {
		_, err := unix.Mmap(-1, 0, 1<<30, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		return err
	},
	"share memory": func() error {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_SHARED)
		return err
	},
	"share memory, validated": func() error {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_SHARED_VALIDATE)
		return err
	},
	"a second stack": func() error {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_GROWSDOWN)
		return err
	},
	"memory by a file":   func() error { _, err := unix.MemfdCreate("x", 0); return err },
	"memory by segments": func() error { _, err := unix.SysvShmGet(0, 1<<20, 0o600); return err },
	"memory made writable": func() error { // it counts when it becomes so
		m, err := unix.Mmap(-1, 0, 1<<30, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return err
		}
		return unix.Mprotect(m, unix.PROT_READ|unix.PROT_WRITE)
	},
	"lift the soft limit": func() error {
		return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: 1 << 40, Max: 1 << 40})
	},
	"from another thread": func() error {
		result := make(chan error)
		go func() {
			runtime.LockOSThread()
			_, err := unix.Open("/etc/passwd", unix.O_RDONLY, 0)
			result <- err
		}()
		return <-result
	},
	// The other way round: what the runtime needs still works.
	"start threads": func() error {
		done := make(chan int)
		for i := range 8 {
			go func() { runtime.LockOSThread(); done <- i }()
		}
		for range 8 {
			<-done
		}
		runtime.GC()
		return nil
	},
}

func refused(errno syscall.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

func executable() error {
	_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
	return err
}

func attempt(name string) int {
	name, jitless := strings.CutSuffix(name, ", jitless")
	// A thread that exists before the filter must be under it too.
	go func() { runtime.LockOSThread(); select {} }()
	if _, _, err := Apply(Options{MemoryMB: 64, Jitless: jitless}); err != nil {
		fmt.Println("lock down:", err)
		return 3
	}
	err := attempts[name]()
	if err == nil {
		fmt.Println("done")
		return 0
	}
	var errno syscall.Errno
	errors.As(err, &errno)
	fmt.Println("refused:", unix.ErrnoName(errno))
	return 0
}

// TestForbidden tries each thing in a child of its own.
func TestForbidden(t *testing.T) {
	const done, eperm, killed = "done", "refused: EPERM", "bad system call"
	want := map[string]string{
		"nothing": done, "start threads": done,
		"open a file": eperm, "read own environment": eperm, "create a file": eperm, "raise a limit": eperm, "raise the memory limit": eperm,
		"signal the parent": eperm, "signal a parent's thread": eperm, "fork": eperm, "fork by clone3": "refused: ENOSYS",
		"make itself dumpable": eperm, "signal by descriptor": eperm, "read descriptor flags": done, "duplicate a descriptor by name": eperm, "from another thread": eperm,
		"connect": killed, "connect by io_uring": killed, "execute": killed, "trace the parent": killed,
		"read the parent's memory": killed, "mount": killed, "new namespaces": killed, "load a program": killed,
		"more memory than allowed": "refused: ENOMEM", "memory made writable": "refused: ENOMEM", "share memory": eperm, "share memory, validated": eperm,
		"a second stack": eperm, "memory by a file": eperm, "memory by segments": eperm, "lift the soft limit": eperm,
		"share memory, jitless": eperm,
		"map executable memory": done, "make memory executable": done,
		"map executable memory, jitless": eperm, "make memory executable, jitless": eperm, "start threads, jitless": done,
	}
	for name := range attempts {
		if want[name] == "" {
			t.Errorf("%q has no expectation", name)
		}
	}
	for name, expected := range want {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = []string{attemptVariable + "=" + name}
			out, err := cmd.CombinedOutput()
			got := strings.TrimSpace(string(out))
			if err != nil {
				got += err.Error()
			}
			if !strings.Contains(got, expected) || expected == done && err != nil {
				t.Errorf("got %q, want %q", got, expected)
			}
		})
	}
}

// TestTable holds the policy that a reviewer has read, for each architecture.
func TestTable(t *testing.T) {
	if !slices.IsSortedFunc(table, func(a, b rule) int { return strings.Compare(a.call, b.call) }) {
		t.Error("the table is not sorted by name")
	}
	numbers := map[string]map[string]int{"amd64": arch.X86_64.SyscallNames, "arm64": arch.AARCH64.SyscallNames}
	for _, name := range []string{"amd64", "arm64"} {
		for _, r := range rules(name, false) {
			if _, ok := numbers[name][r.call]; !ok {
				t.Errorf("%s has no call %s", name, r.call)
			}
		}
		for _, jitless := range []bool{false, true} {
			var b strings.Builder
			for _, r := range rules(name, jitless) {
				fmt.Fprintf(&b, "%-18s %s%s\n", r.call, [...]string{"allow", "kill", "ENOSYS"}[r.verdict], conditions(r.when))
			}
			b.WriteString("everything else    EPERM\n")
			file := fmt.Sprintf("testdata/%s.golden", map[bool]string{false: name, true: name + "-jitless"}[jitless])
			if *update {
				if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			golden, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if string(golden) != b.String() {
				t.Errorf("%s differs from the policy: go test ./internal/sandbox/lockdown -update, and read the diff\n%s", file, b.String())
			}
		}
	}
}

func conditions(list []condition) string {
	var parts []string
	for _, c := range list {
		value := fmt.Sprintf("0x%x", c.value)
		if c.self {
			value = "own pid"
		}
		parts = append(parts, fmt.Sprintf("arg%d %s %s", c.arg, [...]string{"==", "has", "lacks"}[c.test], value))
	}
	if parts == nil {
		return ""
	}
	return " when " + strings.Join(parts, " and ")
}
