package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"codemode-mcp/internal/sandbox/wire"
)

const (
	// startTimeout is how long a new worker may take to say that it is ready.
	startTimeout = 20 * time.Second
	// readyTimeout is how long a worker may take after a run to make its next
	// isolate. Longer means that the script still holds the thread.
	readyTimeout = 2 * time.Second
	// killGrace is how long a script that was told to stop may take before its
	// process is killed.
	killGrace = 250 * time.Millisecond
	// lastWords is how long a killed worker's frames are still read.
	lastWords = time.Second
	// sendTimeout is how long a ready worker may take to read its script.
	sendTimeout = 5 * time.Second
	// socketBuffer lets most frames pass in one write, in bytes.
	socketBuffer = 1 << 20
)

// process is one worker as the host sees it.
type process struct {
	cmd     *exec.Cmd
	conn    *os.File // frames, both ways
	control *os.File // write end of the control pipe
	output  *ring
	ready   chan wire.Info // one value for each Ready
	exited  chan struct{}  // closed when the process is reaped
	// memoryMB is the script's memory that the worker was started with.
	memoryMB int
	born     time.Time
	shared   bool   // it has no namespaces of its own, though it should
	steps    []step // how it is lowered when its script computes for long

	mu      sync.Mutex
	run     *run   // guarded by mu: the run under way
	sound   bool   // guarded by mu: it was ready once
	ran     bool   // guarded by mu: it was given a script
	died    bool   // guarded by mu: it was, and ended by itself between two runs
	names   string // guarded by mu: the key of the names it has
	fault   error  // guarded by mu: why the host stopped trusting it
	slow    bool   // guarded by mu: it was put below others
	reaping bool   // guarded by mu: its number may soon be another process's
	sending sync.Mutex
	buf     []byte // guarded by sending
}

// spawn starts a worker. It must be called on a thread that outlives the worker:
// the parent death signal fires when the spawning thread ends. The image may be nil.
func spawn(opts Options, isolate bool, image *os.File) (*process, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, socketType, 0)
	if err != nil {
		return nil, fmt.Errorf("make socket pair: %w", err)
	}
	for _, fd := range pair {
		unix.CloseOnExec(fd)
		// Best effort: the default works too.
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, socketBuffer)
	}
	if err := unix.SetNonblock(pair[0], true); err != nil {
		return nil, fmt.Errorf("make socket pair: %w", err)
	}
	conn, theirs := os.NewFile(uintptr(pair[0]), "worker-frames"), os.NewFile(uintptr(pair[1]), "worker-frames-child")
	defer theirs.Close()
	controlRead, control, err := os.Pipe()
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("make control pipe: %w", err)
	}
	defer controlRead.Close()

	args := append(append([]string{}, opts.Command[1:]...),
		"--frames-fd=3", "--control-fd=4", fmt.Sprintf("--memory-mb=%d", opts.MemoryMB))
	if opts.Jitless {
		args = append(args, "--jitless")
	}
	if opts.BestEffort {
		args = append(args, "--best-effort")
	}
	files := []*os.File{theirs, controlRead}
	if image != nil {
		files = append(files, image)
		args = append(args, "--image-fd=5")
	}
	p := &process{
		cmd:     exec.Command(opts.Command[0], args...),
		conn:    conn,
		control: control,
		output:  newRing(outputHead, outputTail),
		ready:   make(chan wire.Info, 1),
		exited:  make(chan struct{}),

		memoryMB: opts.MemoryMB,
		born:     time.Now(),
		steps:    aloneSteps,
	}
	if opts.Many {
		p.steps = manySteps
	}
	p.cmd.Env = []string{} // nothing of ours
	p.cmd.Dir = "/"
	p.cmd.ExtraFiles = files
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output // V8 prints its last words on either
	p.cmd.SysProcAttr = childAttr(isolate)
	p.cmd.WaitDelay = time.Second
	if err := p.cmd.Start(); err != nil {
		conn.Close()
		control.Close()
		return nil, fmt.Errorf("start worker: %w", err)
	}
	return p, nil
}

// serve reads frames until the worker ends, then reaps it. It returns how it
// ended.
func (p *process) serve() {
	r := wire.NewReader(p.conn, wire.MaxFrame)
	for {
		f, err := r.Next()
		if err == nil {
			err = p.handle(f)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, syscall.ECONNRESET) {
				p.distrust(err)
			}
			break
		}
	}
	p.kill()
	p.mu.Lock()
	p.reaping = true
	p.mu.Unlock()
	_ = p.cmd.Wait() // the state is read from ProcessState
	p.conn.Close()
	p.control.Close()
	p.mu.Lock()
	r2 := p.run
	p.run = nil
	// One whose script had to be stopped ends when it has said so.
	p.died = r2 == nil && p.fault == nil && p.sound && !(p.ran && p.cmd.ProcessState.Success())
	p.mu.Unlock()
	close(p.exited)
	if r2 != nil {
		r2.died(p.crash())
	}
}

// handle takes one frame. An error means that the worker broke the protocol.
func (p *process) handle(f wire.Frame) error {
	p.mu.Lock()
	r := p.run
	p.mu.Unlock()
	if f.Kind == wire.Ready {
		info, err := readReady(f)
		if err != nil {
			return err
		}
		if r != nil {
			return errors.New("worker says ready in a run")
		}
		p.mu.Lock()
		p.sound = true
		p.mu.Unlock()
		select {
		case p.ready <- info:
			return nil
		default:
			return errors.New("worker says ready twice")
		}
	}
	if r == nil {
		if p.wasStopped() {
			return nil // the last words of a run that is over
		}
		return fmt.Errorf("worker sent %c outside of a run", f.Kind)
	}
	if f.Kind == wire.Done {
		out, err := readDone(f)
		if err != nil {
			return fmt.Errorf("read done: %w", err)
		}
		p.mu.Lock()
		p.run = nil
		p.mu.Unlock()
		r.finish(out)
		return nil
	}
	return r.handle(f)
}

// send writes one frame whole. The worker may not be reading: the write then
// waits until it does, or until it is killed.
func (p *process) send(kind wire.Kind, id uint32, parts ...[]byte) error {
	p.sending.Lock()
	defer p.sending.Unlock()
	return p.sendLocked(kind, id, parts...)
}

func (p *process) sendLocked(kind wire.Kind, id uint32, parts ...[]byte) error {
	p.buf = wire.Append(p.buf[:0], kind, id, parts...)
	_, err := p.conn.Write(p.buf)
	if cap(p.buf) > socketBuffer {
		p.buf = nil
	}
	return err
}

// terminate asks the worker to stop its script.
func (p *process) terminate() {
	// A full pipe or a dead worker: the kill that follows settles it.
	_, _ = p.control.Write([]byte{wire.Terminate})
}

// awaitReady waits until a worker whose run is over has its next isolate. A worker
// that takes too long still runs the script: it is ended.
func (p *process) awaitReady() bool {
	timer := time.NewTimer(readyTimeout)
	defer timer.Stop()
	select {
	case <-p.ready:
		return true
	case <-p.exited:
		return false
	case <-timer.C:
		p.distrust(errors.New("worker did not come back from a run"))
		p.kill()
		return false
	}
}

// end stops a worker that is not needed any more: first by word, then by force.
func (p *process) end() {
	p.distrust(errStopped)
	p.terminate()
	timer := time.NewTimer(killGrace)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C:
		p.kill()
	}
}

// kill ends the process and whatever it might have started.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaping {
		// A process that left the group could hold the descriptor open.
		_ = p.conn.SetDeadline(time.Now().Add(lastWords))
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		_ = p.cmd.Process.Kill()
	}
}

// slowDown puts a worker that has computed for long below others.
func (p *process) slowDown(lower func(thread int)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slow = true
	if !p.reaping { // else its number may be another process's
		p.eachThread(lower)
	}
}

func (p *process) slowed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.slow
}

// unasked reports whether a process that is gone ended by itself between two runs.
func (p *process) unasked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.died
}

func (p *process) distrust(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault == nil {
		p.fault = err
	}
}

// errStopped marks a worker whose run the host ended: it is thrown away.
var errStopped = errors.New("the run was ended by the host")

func (p *process) wasStopped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault == errStopped
}

func readReady(f wire.Frame) (wire.Info, error) {
	parts, err := f.Parts(2)
	if err != nil {
		return wire.Info{}, err
	}
	if len(parts[0]) != 1 || parts[0][0] != wire.Version {
		return wire.Info{}, errors.New("worker is of another build")
	}
	return decodeInfo(parts[1])
}
