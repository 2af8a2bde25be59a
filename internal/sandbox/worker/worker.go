// Package worker is the child process that runs scripts: one V8 isolate at a
// time, its event loop and the prelude that a script meets.
//
// It is the only package that imports v8go. It holds no secret, no file and no
// socket but its two descriptors, and it decides nothing that matters: counts,
// limits and times are the host's. Of this module it imports only wire, script,
// surface and lockdown.
package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	v8 "github.com/tommie/v8go"
	"golang.org/x/sys/unix"

	"codemode-mcp/internal/sandbox/lockdown"
	"codemode-mcp/internal/sandbox/wire"
)

// Options are what the host decides for a worker's whole life.
type Options struct {
	// Frames is the descriptor for frames, both ways.
	Frames *os.File
	// Control is the read end of the control pipe.
	Control *os.File
	// Image is the host's memory file for what workers share. Nil where it has none.
	Image *os.File
	// MemoryMB bounds a script's heap, in MB.
	MemoryMB int
	// Jitless runs V8 without a JIT and forbids executable memory.
	Jitless bool
	// BestEffort runs scripts also where a sandbox layer can't be had.
	BestEffort bool
}

// v8Flags are set before the first isolate.
//
// Code from strings is off, so that what was parsed is all that runs. The
// single-threaded flag keeps V8 from starting helpers beyond its platform's own.
var v8Flags = []string{
	"--disallow-code-generation-from-strings",
	"--single-threaded",
}

// Main runs the worker until the host closes a descriptor or a script had to be
// stopped. It returns the exit status.
func Main(opts Options) int {
	// V8 enters and leaves its isolate on the thread it is called from.
	runtime.LockOSThread()
	// One script at a time: a second processor would only hand esbuild's goroutines
	// between threads. While V8 computes, the runtime lends this one to the watcher.
	runtime.GOMAXPROCS(1)
	debug.SetMemoryLimit(goMemory)
	v8.SetFlags(v8Flags...)
	if opts.Jitless {
		v8.SetFlags("--jitless")
	}
	lowerPriority()
	if err := saveMemory(); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	w := newWorker(opts.Frames, opts.MemoryMB)
	w.snapshots = canSnapshot && !opts.Jitless // without a JIT V8 aborts when it makes one
	useGetrandom()
	if err := w.loadImage(opts.Image); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	w.keeper = v8.NewIsolate(v8.WithResourceConstraints(0, keeperHeap))
	go w.watchControl(opts.Control)
	lock := lockdown.Options{MemoryMB: opts.MemoryMB, Jitless: opts.Jitless, BestEffort: opts.BestEffort}
	if err := w.serve(lock); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	return 0
}

type worker struct {
	memory  uint64 // a script's heap in bytes
	limit   *lockdown.Memory
	frames  io.Writer
	reader  *wire.Reader
	reading chan read // the frame that a goroutine is reading; nil when none is
	out     []byte    // the frame being written, kept for its capacity
	prelude prelude
	// snapshots: isolates are made out of a snapshot.
	snapshots bool
	parts     parts
	current   target
	// keeper is an isolate that does nothing: with one alive, V8 keeps what all
	// isolates of a process share, and a new one takes a fifth less time.
	keeper *v8.Isolate
	names  names
	// stopped is set by the host's Terminate, before the isolate is told; stop is
	// closed then, for who sleeps.
	stopped atomic.Bool
	stop    chan struct{}
}

func newWorker(frames io.ReadWriter, memoryMB int) *worker {
	return &worker{
		memory:    uint64(memoryMB) << 20,
		snapshots: canSnapshot,
		frames:    frames,
		reader:    wire.NewReader(frames, wire.MaxFrame),
		parts:     newParts(),
		stop:      make(chan struct{}),
	}
}

// errDiscard ends the worker after a script that had to be stopped: nothing more
// is run in such a process.
var errDiscard = errors.New("the script was stopped")

func (w *worker) serve(lock lockdown.Options) error {
	var layers *lockdown.Report
	for {
		r, err := w.newRunner()
		if err != nil {
			return fmt.Errorf("make isolate: %w", err)
		}
		if layers == nil { // once, before the first byte of a script can arrive
			if err := r.readZone(); err != nil {
				return err
			}
			report, limit, err := lockdown.Apply(lock)
			if err != nil {
				return fmt.Errorf("lock down: %w", err)
			}
			layers, w.limit = &report, limit
		} else if w.limit.Worn() {
			return nil // the host starts another
		}
		info, err := json.Marshal(wire.Info{V8: v8.Version(), Layers: layers.Active, Missing: layers.Missing})
		if err != nil {
			return err
		}
		if err := w.send(wire.Ready, 0, []byte{wire.Version}, info); err != nil {
			return err
		}
		f, _, err := w.nextFrame(time.Time{})
		for err == nil && f.Kind == wire.Reply { // meant for the run that is over
			f, _, err = w.nextFrame(time.Time{})
		}
		if err != nil {
			return err
		}
		if f.Kind != wire.Run {
			return fmt.Errorf("the host sent %c between two runs", f.Kind)
		}
		if err := r.run(f); err != nil {
			if errors.Is(err, errDiscard) {
				return nil
			}
			return err
		}
		w.current.clear()
		if err := w.limit.End(); err != nil {
			return err
		}
		r.close()
		if len(f.Body) > largeRun {
			debug.FreeOSMemory() // what the run took of Go's heap is the next script's
		}
	}
}

// niceness lowers the worker's thread below the server's: answers and direct
// calls go before scripts that compute.
const niceness = 5

func lowerPriority() {
	// Refused only where it can't be lower still: not worth ending for.
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, niceness)
}

// watchControl stops the script that runs when the host says so, and the process
// when the host is gone.
func (w *worker) watchControl(control io.Reader) {
	var b [1]byte
	for {
		n, err := control.Read(b[:])
		if n == 1 && b[0] == wire.Terminate {
			if w.stopped.CompareAndSwap(false, true) { // the worker ends with the script
				close(w.stop)
			}
			w.current.terminate()
		}
		if err != nil {
			os.Exit(0)
		}
	}
}

func (w *worker) send(kind wire.Kind, id uint32, parts ...[]byte) error {
	w.out = wire.Append(w.out[:0], kind, id, parts...)
	_, err := w.frames.Write(w.out)
	if cap(w.out) > keepBuffer {
		w.out = nil
	}
	return err
}

// largeRun is the size of a Run frame above which its memory is given back at
// once, in bytes.
const largeRun = 256 << 10

// goMemory is from where on Go's collector works harder, in bytes: what Go has taken
// once counts against the script's memory as long as the process lives.
const goMemory = 24 << 20

// keeperHeap bounds the heap of the keeper, in bytes. It never runs anything.
const keeperHeap = 8 << 20

// keepBuffer is the largest write buffer that is kept for the next frame, in
// bytes: a large result must not hold its memory for ever.
const keepBuffer = 1 << 20
