// Package upstream holds the other MCP servers that a user has: it starts or
// reaches them, lists their tools, calls them, and starts them again when they
// end.
//
// It owns every process, connection and goroutine that this takes, from
// [Manager.Open] to [Manager.Close]. One broken server costs its own tools and
// nothing else. It is, with server, the only package that imports the MCP SDK. Of
// this module it imports config (the entries), tokens, catalog and policy; it must not import
// dispatch or anything above it.
package upstream

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/tokens"
)

// Options configure a Manager.
type Options struct {
	// Servers are the entries. Their names differ.
	Servers []config.Server
	// File is the config file, named where a person is told to log in. Empty: it is
	// not named, as users of another machine have no need to know it.
	File string
	// Version is our own, told to servers.
	Version string
	// Env is the environment of every child, before its entry's own.
	Env []string
	// CacheDir keeps the last catalog of each server. Empty: nothing is kept.
	CacheDir string
	// Tokens are the logins to servers. Default: there are none.
	Tokens *tokens.Store
	// MaxResult bounds the result of a call, in bytes. Default 16 MiB.
	MaxResult int
	// Publish takes the tools of all servers whenever they change. It is never
	// called by two goroutines at once.
	Publish func([]catalog.Tool)
	// Log is told of what happens to a server, and whether that is trouble. Default:
	// nobody is.
	Log func(server, event string, trouble bool)
}

// Manager holds the upstream servers. It is safe for concurrent use.
type Manager struct {
	opts      Options
	peers     []*peer
	maxResult atomic.Int64
	wg        sync.WaitGroup
	spawns    chan func()

	publishing sync.Mutex

	mu      sync.Mutex
	ctx     context.Context    // guarded by mu: ends with the manager; nil before Open
	cancel  context.CancelFunc // guarded by mu
	closed  bool               // guarded by mu
	runners sync.WaitGroup     // one for each peer that runs; added to under mu, until closed
	waiting []newcomer         // guarded by mu
}

// New makes a manager. Nothing starts before [Manager.Open].
func New(opts Options) *Manager {
	if opts.MaxResult <= 0 {
		opts.MaxResult = 16 << 20
	}
	if opts.Tokens == nil {
		opts.Tokens = tokens.New("")
	}
	if opts.Publish == nil {
		opts.Publish = func([]catalog.Tool) {}
	}
	if opts.Log == nil {
		opts.Log = func(string, string, bool) {}
	}
	m := &Manager{opts: opts, cancel: func() {}, spawns: make(chan func())}
	m.maxResult.Store(int64(opts.MaxResult))
	for _, s := range opts.Servers {
		m.peers = append(m.peers, newPeer(m, s))
	}
	return m
}

// Open publishes what is known of earlier runs and starts all servers at once, in
// the background.
func (m *Manager) Open() {
	m.mu.Lock()
	ctx, cancel := context.WithCancel(context.Background())
	m.ctx, m.cancel = ctx, cancel
	m.mu.Unlock()
	m.wg.Add(1)
	go m.spawner()
	m.pruneCache()
	for _, p := range m.peers {
		p.loadCache()
	}
	m.publish()
	for _, p := range m.peers {
		if p.startable() {
			m.start(p)
		}
	}
	m.wg.Add(1)
	go func() {
		defer m.wg.Done()
		<-ctx.Done()
		m.mu.Lock()
		m.closed = true // nobody is added to the runners any more
		m.mu.Unlock()
		m.runners.Wait()
		close(m.spawns) // nobody starts anything any more
	}()
}

// start keeps a server up from now on. A life that is about to end is awaited
// first.
func (m *Manager) start(p *peer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ctx == nil || m.closed {
		return
	}
	life := m.ctx
	ctx, stop := context.WithCancel(m.ctx)
	before, ended := p.ended, make(chan struct{})
	p.stop, p.ended = stop, ended
	m.runners.Add(1)
	go func() {
		defer m.runners.Done()
		defer close(ended)
		defer stop()
		if before != nil {
			<-before
		}
		p.run(ctx, life)
	}()
}

// Close ends every server, politely first, and waits until all are gone.
func (m *Manager) Close() {
	m.mu.Lock()
	m.cancel()
	m.mu.Unlock()
	for _, p := range m.peers {
		p.personal.closeAll()
	}
	m.wg.Wait()
}

// publish hands the tools of all servers on.
func (m *Manager) publish() {
	m.publishing.Lock()
	defer m.publishing.Unlock()
	var all []catalog.Tool
	for _, p := range m.peers {
		all = append(all, p.offered()...)
	}
	m.opts.Publish(all)
}

// Settled waits until every server has come up or has failed to once.
func (m *Manager) Settled(ctx context.Context) error {
	for _, p := range m.peers {
		for {
			settled, changed := p.settled()
			if settled {
				break
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

// bareWait is how long a name without a server waits for servers that are
// starting: it may just be wrong.
const bareWait = 2 * time.Second

// Absent is asked about a name that means no tool. While the server it names is
// starting, it waits, and then says to look again; otherwise it says why the
// server's tools are not there. A principal hears nothing of a server whose tools
// it may not call.
func (m *Manager) Absent(ctx context.Context, who policy.Principal, name string) (again bool, why string) {
	name = strings.TrimPrefix(name, "mcp__")
	named := false
	for _, p := range m.peers {
		if !who.May(p.rules.Load().Role) || !begins(name, p.idents) {
			continue
		}
		named = true
		settled, changed := p.settled()
		if settled {
			why = p.whyAbsent()
			continue
		}
		select {
		case <-changed:
			return true, ""
		case <-ctx.Done():
			return false, "the server " + p.cfg.Name + " is still starting; try again in a few seconds"
		}
	}
	if named {
		return false, why
	}
	if why := m.whyWaiting(who, name); why != "" {
		return false, why
	}
	ctx, cancel := context.WithTimeout(ctx, bareWait)
	defer cancel()
	for _, p := range m.peers {
		if settled, changed := p.settled(); !settled && who.May(p.rules.Load().Role) {
			select {
			case <-changed:
				return true, ""
			case <-ctx.Done():
				return false, "some servers are still starting"
			}
		}
	}
	return false, ""
}

// Status is how one server is.
type Status struct {
	Name      string
	Transport string
	// State is one of starting, ready, down, failed, disabled, not logged in.
	State string
	// Reason says why it is not ready, or is empty.
	Reason string
	// Protocol is the revision spoken, or empty.
	Protocol string
	// Tools is how many tools are offered, also of a server that is down.
	Tools int
	// Warnings are what is odd and was lived with.
	Warnings []string
}

// Status tells how each server is, in the order of the configuration.
func (m *Manager) Status() []Status {
	out := make([]Status, 0, len(m.peers))
	for _, p := range m.peers {
		out = append(out, p.status())
	}
	return out
}
