package upstream

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"codemode-mcp/internal/catalog"
)

const (
	// maxPersonal bounds the connections of one server that belong to a principal
	// each. Above, the one unused longest ends.
	maxPersonal = 100
	// personalIdle is how long such a connection is kept without a call.
	personalIdle = 10 * time.Minute
)

// personal are the connections of one server that belong to a principal each:
// nobody's calls, state or token go over another's. The shared connection lists the
// tools and makes no calls then.
type personal struct {
	mu    sync.Mutex
	peers map[string]*owned // guarded by mu, by principal
}

// owned is one principal's connection.
type owned struct {
	*peer
	calls int         // guarded by personal.mu: under way
	used  time.Time   // guarded by personal.mu
	idle  *time.Timer // guarded by personal.mu
}

// mine marks a peer that belongs to one principal.
type mine struct {
	token atomic.Pointer[string] // the newest that its owner came with; nil: none is passed on
}

// own gives the principal's connection for one call. done must be called when the
// call has ended.
func (p *peer) own(ctx context.Context) (q *peer, done func(), err error) {
	caller := catalog.CallerOf(ctx)
	if p.cfg.ForwardToken && caller.Token == "" {
		return nil, nil, &Error{Message: "the server " + p.cfg.Name + " wants the caller's own token, and this caller has none",
			Hint: "the call was not made; it works over HTTP with a token"}
	}
	o := p.personal.enter(p, caller.Principal)
	if o == nil {
		return nil, nil, &Error{Message: "the server " + p.cfg.Name + " is used by too many at once", Hint: "the call was not made; try again in a few seconds"}
	}
	if p.cfg.ForwardToken {
		if old := o.mine.token.Swap(&caller.Token); old == nil || *old != caller.Token {
			o.hideAlso(caller.Token)
		}
	}
	// The first call waits for the connection, within its own deadline.
	o.begin.Do(func() { p.m.start(o.peer) })
	return o.peer, func() { p.personal.leave(p, caller.Principal, o) }, nil
}

func (c *personal) enter(p *peer, principal string) *owned {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.peers[principal]
	if o == nil {
		if len(c.peers) >= maxPersonal && !c.evictLocked(p.m) {
			return nil
		}
		cfg := p.cfg
		cfg.Headers = maps.Clone(p.cfg.Headers)
		o = &owned{peer: newPeer(p.m, cfg)}
		o.mine = &mine{}
		if c.peers == nil {
			c.peers = map[string]*owned{}
		}
		c.peers[principal] = o
	}
	o.calls++
	o.used = time.Now()
	if o.idle != nil {
		o.idle.Stop()
	}
	return o
}

func (c *personal) leave(p *peer, principal string, o *owned) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.calls--
	o.used = time.Now()
	if o.calls > 0 || c.peers[principal] != o {
		return
	}
	o.idle = time.AfterFunc(personalIdle, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.peers[principal] == o && o.calls == 0 && time.Since(o.used) >= personalIdle {
			delete(c.peers, principal)
			p.m.end(o.peer)
		}
	})
}

// evictLocked ends the connection that was unused longest, if one is unused.
func (c *personal) evictLocked(m *Manager) bool {
	oldest := ""
	for id, o := range c.peers {
		if o.calls == 0 && (c.peers[oldest] == nil || o.used.Before(c.peers[oldest].used)) {
			oldest = id
		}
	}
	o := c.peers[oldest]
	if o == nil {
		return false
	}
	o.idle.Stop()
	delete(c.peers, oldest)
	m.end(o.peer)
	return true
}

// endAll ends every connection, those at work after their calls.
func (c *personal) endAll(m *Manager) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, o := range c.peers {
		if o.idle != nil {
			o.idle.Stop()
		}
		delete(c.peers, id)
		m.end(o.peer)
	}
}

// closeAll ends the timers. The connections end with the manager.
func (c *personal) closeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range c.peers {
		if o.idle != nil {
			o.idle.Stop()
		}
	}
}

// end ends a peer's life, without waiting for it.
func (m *Manager) end(p *peer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.stop != nil {
		p.stop()
	}
}
