package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"codemode-mcp/internal/sandbox/wire"
)

// run is one script in one worker.
type run struct {
	p       *process
	handler Handler
	start   time.Time

	mu      sync.Mutex
	ended   bool                // guarded by mu
	open    map[uint32]struct{} // guarded by mu: calls without an answer
	lastID  uint32              // guarded by mu
	outcome Outcome             // valid after done is closed
	done    chan struct{}
	asking  atomic.Bool // an Ask has no answer yet
	// begun: the script was compiled. Until then what goes wrong is the source's.
	begun atomic.Bool
}

// maxOpenCalls bounds the calls a script may have in flight or queued, far above
// what the budget grants: more is a worker that lies.
const maxOpenCalls = 100_000

// maxPath and maxLine bound a tool's name and a console line, in bytes, well above
// what the prelude lets through: the host keeps both.
const (
	maxPath = 4 << 10
	maxLine = 64 << 10
)

var levels = []string{"log", "info", "warn", "error", "debug"}

func (p *process) startRun(job Job, h Handler) (*run, error) {
	r := &run{p: p, handler: h, start: time.Now(), open: map[uint32]struct{}{}, done: make(chan struct{})}
	r.begun.Store(len(job.Script) < wire.BegunFrom)
	meta, err := json.Marshal(job.Meta)
	if err != nil {
		return r, err
	}
	args := job.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	p.mu.Lock()
	p.run, p.ran = r, true
	names := job.Names.JSON
	if p.names == job.Names.Key {
		names = nil
	}
	p.names = job.Names.Key
	p.mu.Unlock()
	// The run's clock is not watched yet: a worker that reads nothing must not
	// hold the caller.
	_ = p.conn.SetWriteDeadline(r.start.Add(min(job.Timeout, sendTimeout)))
	if err := p.send(wire.Run, 0, meta, []byte(job.Script), args, names); err != nil {
		return r, fmt.Errorf("send script: %w", err)
	}
	_ = p.conn.SetWriteDeadline(time.Time{})
	return r, nil
}

// wait waits for the run's end, the deadline or the caller. Whatever comes first
// decides; a worker that has to be stopped is stopped in the background.
func (r *run) wait(ctx context.Context, job Job) (out Outcome, reusable bool) {
	clock := r.newClock(job.Timeout, job.Human)
	defer clock.stop()
	pace := r.p.newPace()
	defer pace.timer.Stop()
	for {
		select {
		case <-r.done:
			return r.settled(ctx), r.outcome.End == Returned || r.outcome.End == Threw
		case <-pace.timer.C:
			pace.look()
		case <-clock.began:
			clock.watch()
		case <-clock.tick:
			clock.look()
		case <-clock.timer.C:
			if clock.over() {
				return r.cutShort(ctx, TimedOut)
			}
		case <-ctx.Done():
			return r.cutShort(ctx, Cancelled)
		}
	}
}

func (r *run) cutShort(ctx context.Context, end End) (Outcome, bool) {
	r.abandon(Outcome{End: end})
	return r.settled(ctx), false
}

// settled is the outcome of a run that is over. One that was cancelled may have thrown
// first: a call that was cancelled with it came back.
func (r *run) settled(ctx context.Context) Outcome {
	out := r.outcome
	if out.End == Threw && ctx.Err() != nil {
		out = Outcome{End: Cancelled}
	}
	out.Elapsed = time.Since(r.start)
	return out
}

// abandon ends a run whose worker is not to be listened to any more.
func (r *run) abandon(out Outcome) {
	r.p.distrust(errStopped)
	r.p.mu.Lock()
	if r.p.run == r {
		r.p.run = nil
	}
	r.p.mu.Unlock()
	r.finish(out)
}

// died is the end of a run whose worker is gone.
func (r *run) died(out Outcome) {
	if out.End == OutOfMemory && !r.begun.Load() {
		out = Outcome{End: Threw, Failure: wire.TooLarge, Detail: out.Detail}
	}
	r.finish(out)
}

// finish settles the outcome. The first one counts.
func (r *run) finish(out Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.ended = true
	r.outcome = out
	close(r.done)
}

// handle takes a frame of the run.
func (r *run) handle(f wire.Frame) error {
	switch f.Kind {
	case wire.Begun:
		if len(f.Body) > 0 || r.begun.Swap(true) {
			return errors.New("worker began twice")
		}
		return nil
	case wire.Call:
		parts, err := f.Parts(3)
		if err != nil {
			return err
		}
		if len(parts[1]) > maxPath {
			return fmt.Errorf("worker calls a tool whose name has %d bytes", len(parts[1]))
		}
		if err := r.opened(f.ID); err != nil {
			return err
		}
		id := f.ID
		r.handler.Call(string(parts[0]) == "r", string(parts[1]), parts[2], func(ok bool, body json.RawMessage) {
			r.reply(id, ok, body)
		})
		return nil
	case wire.Log:
		parts, err := f.Parts(2)
		if err != nil {
			return err
		}
		level := string(parts[0])
		if !slices.Contains(levels, level) || len(parts[1]) > maxLine {
			return fmt.Errorf("worker logs %d bytes with the level %.20q", len(parts[1]), level)
		}
		r.handler.Log(level, string(parts[1]))
		return nil
	case wire.Ask:
		parts, err := f.Parts(2)
		if err != nil {
			return err
		}
		if !r.asking.CompareAndSwap(false, true) {
			return errors.New("worker asked twice at once")
		}
		r.handler.Ask(string(parts[0]), parts[1], r.answer)
		return nil
	case wire.Emit:
		parts, err := f.Parts(1)
		if err != nil {
			return err
		}
		r.handler.Emit(parts[0])
		return nil
	default:
		return fmt.Errorf("worker sent %c in a run", f.Kind)
	}
}

// opened takes note of a call. Numbers only grow: an answer can't be asked for
// twice.
func (r *run) opened(id uint32) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if id <= r.lastID {
		return errors.New("worker used a call number twice")
	}
	if len(r.open) >= maxOpenCalls {
		return errors.New("worker has too many calls open")
	}
	r.lastID = id
	r.open[id] = struct{}{}
	return nil
}

var (
	statusOK  = []byte("ok")
	statusErr = []byte("err")
)

// reply answers one call, unless the run is over. The check and the write share
// one lock with the next run's first frame, so that no answer reaches a later run.
func (r *run) reply(id uint32, ok bool, body json.RawMessage) {
	r.mu.Lock()
	_, open := r.open[id]
	delete(r.open, id)
	r.mu.Unlock()
	if !open {
		return
	}
	r.send(id, ok, body)
}

// answer answers the Ask that the script waits for.
func (r *run) answer(ok bool, body json.RawMessage) {
	if r.asking.CompareAndSwap(true, false) {
		r.send(0, ok, body)
	}
}

func (r *run) send(id uint32, ok bool, body json.RawMessage) {
	status := statusErr
	if ok {
		status = statusOK
	}
	r.p.sending.Lock()
	defer r.p.sending.Unlock()
	if r.over() {
		return
	}
	// A worker that is gone ends the run by itself.
	_ = r.p.sendLocked(wire.Reply, id, status, body)
}

func (r *run) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}
