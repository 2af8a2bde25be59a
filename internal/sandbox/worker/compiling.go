package worker

import (
	"encoding/json"
	"os"
	"sync/atomic"
	"time"

	"codemode-mcp/internal/sandbox/wire"
)

// compiling is the time before a script runs, when parsers are at work that
// nothing can interrupt: V8's, esbuild's, acorn. Some sources take them the square
// of their length, or worse. When the time is over the answer is given from
// another goroutine, and the process ends with whatever still computes in it.
type compiling struct {
	timer *time.Timer
	over  atomic.Bool
}

func (w *worker) watchCompiling(bound time.Duration) *compiling {
	c := &compiling{}
	if bound > 0 {
		c.timer = time.AfterFunc(bound, func() {
			if c.over.CompareAndSwap(false, true) {
				w.giveUp()
			}
		})
	}
	return c
}

// end ends the watch. If it is too late, nothing more may be sent: the process is
// about to end.
func (c *compiling) end() {
	if c.timer != nil && !c.over.CompareAndSwap(false, true) {
		select {}
	}
	if c.timer != nil {
		c.timer.Stop()
	}
}

// giveUp answers a run that is still compiling and ends the process. The main
// thread writes nothing meanwhile.
func (w *worker) giveUp() {
	text, err := json.Marshal(wire.TooSlow)
	if err == nil {
		// A host that is gone needs no answer.
		_, _ = w.frames.Write(wire.Append(nil, wire.Done, 0, []byte("err"), text, []byte("[]"), nil))
	}
	os.Exit(0)
}
