package worker

import (
	"slices"
	"time"

	v8 "github.com/tommie/v8go"

	"codemode-mcp/internal/sandbox/wire"
)

// timer is one that the script waits for.
type timer struct {
	id  uint32
	due time.Time
}

// addTimer keeps the list in the order in which timers are due; of two at the
// same time the older one comes first.
func (s *scriptState) addTimer(id uint32, delay time.Duration) {
	t := timer{id: id, due: time.Now().Add(delay)}
	i, _ := slices.BinarySearchFunc(s.timers, t, func(a, b timer) int {
		if a.due.After(b.due) {
			return 1
		}
		return -1
	})
	s.timers = slices.Insert(s.timers, i, t)
}

func (s *scriptState) dropTimer(id uint32) {
	s.timers = slices.DeleteFunc(s.timers, func(t timer) bool { return t.id == id })
}

// fire runs the function of the timer that is due first.
func (r *runner) fireTimer() error {
	id := r.script.timers[0].id
	r.script.timers = r.script.timers[1:]
	n, err := v8.NewValue(r.iso, id)
	if err != nil {
		return err
	}
	_, err = r.fire.Call(v8.Undefined(r.iso), n)
	if err != nil && !r.script.done {
		return r.stop(r.uncaught(err))
	}
	return nil
}

// sleep waits until a time, or until the script is stopped.
func (w *worker) sleep(until time.Time) {
	alarm := time.NewTimer(time.Until(until))
	defer alarm.Stop()
	select {
	case <-alarm.C:
	case <-w.stop:
	}
}

// read is a frame that is being read.
type read struct {
	frame wire.Frame
	err   error
}

// nextFrame reads a frame, or gives up at a time: ok is false then. The zero
// time is never.
//
// Only a wait that may be given up costs a goroutine. What it reads after that
// is the next frame for whoever asks.
func (w *worker) nextFrame(until time.Time) (f wire.Frame, ok bool, err error) {
	if w.reading == nil {
		if until.IsZero() || w.reader.Buffered() {
			f, err = w.reader.Next()
			return f, true, err
		}
		c := make(chan read, 1)
		w.reading = c
		go func() {
			f, err := w.reader.Next()
			c <- read{f, err}
		}()
	}
	if until.IsZero() {
		got := <-w.reading
		w.reading = nil
		return got.frame, true, got.err
	}
	alarm := time.NewTimer(time.Until(until))
	defer alarm.Stop()
	select {
	case got := <-w.reading:
		w.reading = nil
		return got.frame, true, got.err
	case <-alarm.C:
		return wire.Frame{}, false, nil
	}
}
