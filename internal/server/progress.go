package server

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/bridge"
	"codemode-mcp/internal/catalog"
)

// heartbeat is how often a client that asked for progress hears of a run in
// which nothing happens. Clients commonly give up after 60 s of silence.
const heartbeat = 5 * time.Second

// progressQueue is how many calls may wait to be told. A run must not wait for a
// slow client: what does not fit is left out.
const progressQueue = 256

// progress tells a client of the steps of a run.
type progress struct {
	steps chan bridge.Progress
	quit  chan struct{}
	wg    sync.WaitGroup
}

// startProgress begins to tell, if the client gave a token.
func startProgress(ctx context.Context, req *mcp.CallToolRequest) *progress {
	token := req.Params.GetProgressToken()
	if token == nil {
		return &progress{}
	}
	p := &progress{steps: make(chan bridge.Progress, progressQueue), quit: make(chan struct{})}
	p.wg.Add(1)
	hears := func() *listener { return &listener{ctx, req.Session, token} }
	if t, ok := ctx.Value(talkKey{}).(*talk); ok {
		hears = t.listener.Load // a call that is parked goes on with another request
	}
	go p.tell(hears)
	return p
}

// upstream takes what the server of a direct call says. It never blocks.
func (p *progress) upstream(u catalog.Progress) { p.call(bridge.Progress{Text: u.String()}) }

// call takes one step. It never blocks.
func (p *progress) call(step bridge.Progress) {
	select {
	case p.steps <- step: // a nil channel is never ready
	default:
	}
}

// stop ends the telling. What was queued is told first.
func (p *progress) stop() {
	if p.quit != nil {
		close(p.quit)
		p.wg.Wait()
	}
}

func (p *progress) tell(hears func() *listener) {
	defer p.wg.Done()
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	start, value := time.Now(), 0.0
	notify := func(msg string) {
		value++ // the value must grow with every notification
		if l := hears(); l != nil {
			// A client that is gone ends the run through ctx.
			_ = l.session.NotifyProgress(l.ctx, &mcp.ProgressNotificationParams{ProgressToken: l.token, Progress: value, Message: msg})
		}
	}
	step := func(s bridge.Progress) {
		switch {
		case s.Tool == "":
			notify(s.Text)
		case s.Text != "":
			notify(fmt.Sprintf("call %d: %s: %s", s.Calls, s.Tool, s.Text))
		default:
			notify(fmt.Sprintf("call %d: %s", s.Calls, s.Tool))
		}
	}
	for {
		select {
		case s := <-p.steps:
			step(s)
		case <-tick.C:
			notify(fmt.Sprintf("running for %d s", int(time.Since(start).Seconds())))
		case <-p.quit:
			for {
				select {
				case s := <-p.steps:
					step(s)
				default:
					return
				}
			}
		}
	}
}
