package upstream

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// stopGrace is how long a server may take to end after its input closed, and
	// once more after SIGTERM.
	stopGrace = time.Second
	// pipeDelay is how long what a dead server's relatives hold open is waited for.
	pipeDelay = 500 * time.Millisecond
)

// errNotStarted marks a command that could not be started at all.
var errNotStarted = errors.New("can't be started")

// child is one process of a server, with all that it starts.
type child struct {
	cmd     *exec.Cmd
	stdin   *os.File
	stdout  *os.File
	said    *ring // stderr, and what was no message on stdout
	exited  chan struct{}
	dropped atomic.Int64 // lines that were no messages
	mended  atomic.Int64 // lines that were no valid UTF-8
	input   sync.Once
	hide    func(string) string
}

// spawner owns the thread that starts every child: the parent death signal fires
// when the thread that started a child ends.
func (m *Manager) spawner() {
	defer m.wg.Done()
	runtime.LockOSThread() // never unlocked: the thread ends with the manager
	for f := range m.spawns {
		f()
	}
}

// spawn starts the command of an entry in a process group of its own.
func (m *Manager) spawn(p *peer) (*child, error) {
	theirIn, stdin, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	defer theirIn.Close()
	stdout, theirOut, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	defer theirOut.Close()
	env := childEnv(m.opts.Env, p.cfg.Env)
	command, err := lookPath(p.cfg.Command, env)
	if err != nil {
		stdin.Close()
		stdout.Close()
		return nil, fmt.Errorf("%s %w: %s", p.redact(p.cfg.Command), errNotStarted, err)
	}
	c := &child{
		cmd:   exec.Command(command, p.cfg.Args...),
		stdin: stdin, stdout: stdout,
		said: &ring{}, exited: make(chan struct{}), hide: p.redact,
	}
	c.cmd.Env = env
	c.cmd.Args[0] = p.cfg.Command
	c.cmd.Dir = p.cfg.Dir
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = theirIn, theirOut, c.said
	c.cmd.SysProcAttr = childAttr()
	c.cmd.WaitDelay = pipeDelay
	started := make(chan struct{})
	m.spawns <- func() {
		defer close(started)
		err = c.cmd.Start()
	}
	<-started
	if err != nil {
		stdin.Close()
		stdout.Close()
		return nil, fmt.Errorf("%s %w: %s", p.redact(p.cfg.Command), errNotStarted, p.redact(startReason(err)))
	}
	m.wg.Add(1)
	go func() {
		defer m.wg.Done()
		_ = c.cmd.Wait() // the state is read from ProcessState
		c.signal(syscall.SIGKILL)
		// What it said last may still be in the pipe; a relative that left the group
		// may hold it open for ever.
		_ = stdout.SetReadDeadline(time.Now().Add(pipeDelay))
		close(c.exited)
	}()
	return c, nil
}

// lookPath finds a command in the PATH that the child gets, which may be its entry's
// own.
func lookPath(command string, env []string) (string, error) {
	if strings.ContainsRune(command, '/') {
		return command, nil
	}
	path := ""
	for _, v := range env {
		if rest, ok := strings.CutPrefix(v, "PATH="); ok {
			path = rest // the last one counts
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // it would depend on where we were started
		}
		file := filepath.Join(dir, command)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", errors.New("executable file not found in its PATH")
}

// startReason is the part of an error of exec that says why.
func startReason(err error) string {
	var lookup *exec.Error
	if errors.As(err, &lookup) {
		return lookup.Err.Error()
	}
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// childEnv is the base with the entry's own variables on top.
func childEnv(base []string, own map[string]string) []string {
	env := append([]string{}, base...)
	for name, value := range own {
		env = append(env, name+"="+value) // the last one counts
	}
	sort.Strings(env[len(base):])
	return env
}

// signal sends a signal to the whole group.
func (c *child) signal(sig syscall.Signal) {
	// Refused only when nobody is left.
	_ = syscall.Kill(-c.cmd.Process.Pid, sig)
}

func (c *child) closeInput() { c.input.Do(func() { c.stdin.Close() }) }

// stop ends the child: its input closes, then it is asked to end, then it is made
// to. It returns when it is gone.
func (c *child) stop() {
	c.closeInput()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if c.waitFor(stopGrace) {
			break
		}
		c.signal(sig)
	}
	<-c.exited
	c.stdout.Close()
}

func (c *child) waitFor(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.exited:
		return true
	case <-timer.C:
		return false
	}
}

// explain adds to an error how the child ended and what it said.
func (c *child) explain(err error) error {
	text := err.Error()
	if c.waitFor(pipeDelay) {
		text = "it ended with " + c.cmd.ProcessState.String()
	}
	if said := c.said.last(c.hide); said != "" {
		text += "; it said: " + said
	}
	return errors.New(text)
}
