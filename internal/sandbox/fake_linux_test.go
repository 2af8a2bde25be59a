package sandbox

import (
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"codemode-mcp/internal/sandbox/wire"
)

// The fake worker is this test binary under another first argument: a few lines
// that speak the protocol honestly, or lie on demand. The pool clears the
// environment, so all that it is told stands in its arguments and in the script.

const fakeArgument = "fake-worker"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == fakeArgument {
		exit(fakeMain(os.Args[2:]))
	}
	goleak.VerifyTestMain(m)
}

// fakeCommand is the command line of a fake worker. The mode says how it starts.
func fakeCommand(t testing.TB, mode ...string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{self, fakeArgument}, mode...)
}

// fake is the worker's side of one process.
type fake struct {
	frames *os.File
	reader *wire.Reader
	id     string            // tells workers apart: in a namespace of its own each is process 1
	seen   []json.RawMessage // the arguments of every run so far
	strays int               // replies that came between two runs
}

func fakeMain(args []string) int {
	mode := args[0]
	rest := args[1:]
	for len(rest) > 0 && !strings.HasPrefix(rest[0], "--") {
		rest = rest[1:]
	}
	fs := flag.NewFlagSet(fakeArgument, flag.ContinueOnError)
	frames := fs.Int("frames-fd", -1, "")
	control := fs.Int("control-fd", -1, "")
	fs.Int("memory-mb", 0, "")
	fs.Int("image-fd", -1, "")
	if fs.Parse(rest) != nil {
		return 2
	}
	f := &fake{frames: os.NewFile(uintptr(*frames), "frames"), id: rand.Text()}
	f.reader = wire.NewReader(f.frames, 64<<20)
	go func() { // the host's word, or its end, ends the process: a fake has no script to stop
		var b [1]byte
		os.NewFile(uintptr(*control), "control").Read(b[:])
		if mode != "deaf" {
			exit(0)
		}
		select {}
	}()
	if start, ok := fakeStarts[mode]; ok {
		start(f, args[1:])
	}
	for {
		f.ready()
		if !f.run() {
			return 0
		}
	}
}

func (f *fake) send(kind wire.Kind, id uint32, parts ...string) {
	var b [][]byte
	for _, p := range parts {
		b = append(b, []byte(p))
	}
	f.raw(wire.Append(nil, kind, id, b...))
}

func (f *fake) raw(b []byte) {
	if _, err := f.frames.Write(b); err != nil {
		exit(0) // the host has hung up
	}
}

func (f *fake) ready() { f.send(wire.Ready, 0, string([]byte{wire.Version}), `{"v8":"none"}`) }

func (f *fake) returns(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	f.send(wire.Done, 0, "ok", string(text), "[]", "")
}

// run serves one Run frame. The script is a word and its arguments.
func (f *fake) run() bool {
	frame, err := f.reader.Next()
	for err == nil && frame.Kind == wire.Reply {
		f.strays++
		frame, err = f.reader.Next()
	}
	if err != nil {
		return false
	}
	parts, err := frame.Parts(4)
	if err != nil {
		panic(err)
	}
	f.seen = append(f.seen, append(json.RawMessage{}, parts[2]...))
	word, rest, _ := strings.Cut(string(parts[1]), " ")
	if lie, ok := fakeLies[word]; ok {
		lie.tell(f)
		return true
	}
	n, _ := strconv.Atoi(rest)
	switch word {
	case "id":
		f.returns(f.id)
	case "seen":
		f.returns(f.seen)
	case "strays":
		f.returns(f.strays)
	case "names":
		f.returns(len(parts[3]))
	case "sleep":
		time.Sleep(time.Duration(n) * time.Millisecond)
		f.returns(f.id)
	case "calls": // n calls at once, then their answers
		for i := range n {
			f.send(wire.Call, uint32(i+1), "v", "a.tool", "{}")
		}
		for range n {
			if _, err := f.reader.Next(); err != nil {
				return false
			}
		}
		f.returns(n)
	case "asks", "asks-and-computes", "asks-and-calls": // a call that waits for a human
		f.send(wire.Call, 1, "v", "a.human", "{}")
		if word == "asks-and-calls" {
			f.send(wire.Call, 2, "v", "a.slow", "{}")
		}
		if word == "asks-and-computes" {
			compute()
		}
		if _, err := f.reader.Next(); err != nil {
			return false
		}
		f.returns(1)
	case "spin":
		compute()
	case "leave": // a call that nobody waits for
		f.send(wire.Call, 1, "v", "a.slow", "{}")
		f.returns(f.id)
	case "throw":
		f.send(wire.Done, 0, "err", `{"kind":"exception","message":"thrown"}`, "[]", "")
	default:
		panic("BUG: the fake knows no script " + word)
	}
	return true
}

// fakeStarts are the ways in which a worker starts badly, by mode.
var fakeStarts = map[string]func(f *fake, args []string){
	"never-ready": func(*fake, []string) { select {} },
	"dies":        func(*fake, []string) { exit(3) },
	"ends":        func(*fake, []string) { exit(0) },
	"hangs-up":    func(f *fake, _ []string) { f.frames.Close(); select {} },
	"garbage":     func(f *fake, _ []string) { f.raw([]byte("GET / HTTP/1.1\r\n\r\n")) },
	"ready-twice": func(f *fake, _ []string) {
		f.ready()
		f.ready()
		f.ready()
	},
	"other-version": func(f *fake, _ []string) {
		f.send(wire.Ready, 0, string([]byte{wire.Version + 1}), `{}`)
		select {}
	},
	"no-version":      func(f *fake, _ []string) { f.send(wire.Ready, 0, "", `{}`) },
	"ready-not-json":  func(f *fake, _ []string) { f.send(wire.Ready, 0, string([]byte{wire.Version}), `{"v8":`) },
	"ready-wrong":     func(f *fake, _ []string) { f.send(wire.Ready, 0, string([]byte{wire.Version}), `{"v8":7}`) },
	"ready-one-part":  func(f *fake, _ []string) { f.send(wire.Ready, 0, string([]byte{wire.Version})) },
	"ready-giant":     func(f *fake, _ []string) { f.raw([]byte{0xff, 0xff, 0xff, 0xff, 'Y', 0, 0, 0, 0}) },
	"done-first":      func(f *fake, _ []string) { f.returns(1) },
	"call-first":      func(f *fake, _ []string) { f.send(wire.Call, 1, "v", "a.tool", "{}") },
	"half-a-frame":    func(f *fake, _ []string) { f.raw([]byte{9, 0, 0}); select {} },
	"stderr-for-ever": func(*fake, []string) { floodStderr() },
	// dies-before T: it dies when it is started before that time.
	"dies-before": func(_ *fake, args []string) {
		if ns, _ := strconv.ParseInt(args[0], 10, 64); time.Now().UnixNano() < ns {
			exit(3)
		}
	},
	"ready-and-dies": func(f *fake, _ []string) { f.ready(); fmt.Fprintln(os.Stderr, "last words"); exit(3) },
	"ready-and-deaf": func(f *fake, _ []string) { f.ready(); select {} },
	"slow":           func(*fake, []string) { time.Sleep(300 * time.Millisecond) },
	"sleeper":        func(*fake, []string) { time.Sleep(3 * time.Second); exit(0) },
}

// exit ends the process at once: os.Exit of a race build waits for a second.
func exit(code int) {
	syscall.RawSyscall(syscall.SYS_EXIT_GROUP, uintptr(code), 0, 0)
}

func floodStderr() {
	line := strings.Repeat("e", 1<<16)
	for {
		if _, err := fmt.Fprintln(os.Stderr, line); err != nil {
			exit(0)
		}
	}
}

// leaveGroup starts a process that leaves the worker's group and keeps its
// descriptors, as an escaped script might.
func (f *fake) leaveGroup() {
	cmd := exec.Command("/proc/self/exe", fakeArgument, "sleeper", "--frames-fd=3")
	cmd.ExtraFiles = []*os.File{f.frames}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// compute never ends.
func compute() {
	for n := 0; ; n++ {
		computed = n
	}
}

var computed int
