package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
)

const (
	// firstBackoff and maxBackoff bound the wait before a server is started again;
	// it doubles each time and is spread by half of itself.
	firstBackoff = 250 * time.Millisecond
	maxBackoff   = time.Minute
	// stableAfter is how long a server must have worked for its next failure to
	// count as the first.
	stableAfter = 30 * time.Second
	// debounce is how long a changed list may change further before it is read.
	debounce = 100 * time.Millisecond
	// relistEvery is how often a list that says that it changed is read.
	relistEvery = time.Second
	// pollEvery is how often a list is read again over HTTP, where an old server
	// has no way to say that it changed.
	pollEvery = 5 * time.Minute
)

// The states of a server.
const (
	stateStarting = "starting"
	stateReady    = "ready"
	stateDown     = "down"
	stateFailed   = "failed"
	stateDisabled = "disabled"
	stateLogin    = "not logged in" // a person must
)

// peer is one upstream server over all its lives.
type peer struct {
	denied atomic.Pointer[loginError] // why the server refused a request of the present dial
	m      *Manager
	cfg    config.Server                 // how it is started or reached: never changes
	rules  atomic.Pointer[config.Server] // who may call what of it; see [Manager.Reload]
	hide   atomic.Pointer[strings.Replacer]
	idents []string // what a name that means this server begins with

	personal personal  // the connections of single principals, when the entry wants them
	mine     *mine     // set when this is one of those: it offers nothing to others
	begin    sync.Once // starts such a one

	stop  context.CancelFunc // guarded by m.mu: ends the life that runs; nil before the first
	ended chan struct{}      // guarded by m.mu: closed when it has ended

	mu       sync.Mutex
	secrets  []string          // guarded by mu: tokens, the newest last
	waits    string            // guarded by mu: what of the entry waits for a restart, or empty
	state    string            // guarded by mu
	reason   string            // guarded by mu: why it is not ready
	retryAt  time.Time         // guarded by mu: when it is started again
	session  *session          // guarded by mu: set while ready
	raw      []json.RawMessage // guarded by mu: the definitions as they came
	tools    []catalog.Tool    // guarded by mu
	warnings []string          // guarded by mu
	once     bool              // guarded by mu: it came up or failed once
	legacy   bool              // guarded by mu: it is known to speak only old revisions
	protocol string            // guarded by mu
	changed  chan struct{}     // guarded by mu: closed at every change
}

func newPeer(m *Manager, cfg config.Server) *peer {
	p := &peer{m: m, cfg: cfg, state: stateStarting, changed: make(chan struct{})}
	p.rules.Store(&cfg)
	p.hideAlso()
	p.idents = idents(cfg.Name)
	switch {
	case cfg.Disabled:
		p.state, p.reason, p.once = stateDisabled, whyDisabled, true
	case cfg.Problem != "":
		p.state, p.reason, p.once = stateFailed, cfg.Problem, true
	}
	return p
}

const whyDisabled = "it is disabled in the configuration"

func (p *peer) startable() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state == stateStarting
}

// run keeps the server up until ctx ends. While life goes on, calls under way then
// are let end first.
func (p *peer) run(ctx, life context.Context) {
	backoff := firstBackoff
	for {
		before := p.loginMark()
		s, err := p.connect(ctx)
		if err == nil {
			started := time.Now()
			if err = p.relist(ctx, s); err == nil {
				if s.stream != nil {
					s.stream.await(ctx)
				}
				p.ready(ctx, s)
				err = p.watch(ctx, s)
				p.letGo(s, ctx, life)
			}
			s.close()
			if s.ended != nil {
				<-s.ended
			}
			if time.Since(started) > stableAfter {
				backoff = firstBackoff
			}
		}
		if ctx.Err() != nil {
			return
		}
		wait := backoff/2 + rand.N(backoff)
		backoff = min(2*backoff, maxBackoff)
		p.down(ctx, err, wait)
		var login *loginError
		if !p.pause(ctx, wait, errors.As(err, &login), before) {
			return
		}
		p.set(ctx, func() { p.state = stateStarting })
	}
}

// pause waits before the next start, or, for a login, until the kept logins change.
// Before is how that login was when the start began: a person may have logged in since.
// It reports whether life goes on.
func (p *peer) pause(ctx context.Context, wait time.Duration, login bool, before string) bool {
	if login {
		wait = pollLogin
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return false
		}
		if !login || p.loginMark() != before {
			return true
		}
		timer.Reset(wait)
	}
}

// loginMark changes when a login brings another token. It is not for keeping.
func (p *peer) loginMark() string {
	if p.cfg.URL == "" {
		return ""
	}
	e, _, err := p.m.opts.Tokens.Get(p.tokenKey())
	if err != nil {
		return err.Error() // a file that is mended is a change
	}
	return e.Access + "\x00" + strings.Join(e.Scopes, " ")
}

// ready lets calls through. The tools are published before anybody who waits for
// the server looks for them.
func (p *peer) ready(ctx context.Context, s *session) {
	p.publish()
	p.set(ctx, func() {
		p.state, p.reason, p.session, p.once = stateReady, "", s, true
		p.protocol, p.legacy = s.protocol, s.protocol < modernRevision
	})
	p.m.opts.Log(p.cfg.Name, fmt.Sprintf("is ready with %d tools (%s)", len(p.offered()), s.protocol), false)
	p.saveCache()
}

func (p *peer) down(ctx context.Context, err error, wait time.Duration) {
	reason := readable(p.redact(err.Error())) // it goes to terminals and models
	p.mu.Lock()
	if ctx.Err() != nil {
		p.mu.Unlock()
		return
	}
	p.state, p.reason, p.retryAt = stateDown, reason, time.Now().Add(wait)
	var login *loginError
	if errors.As(err, &login) {
		p.state, p.reason = stateLogin, login.hint()
	}
	for i := range p.tools {
		p.tools[i].Stale = true
	}
	p.mu.Unlock()
	p.publish()
	p.set(ctx, func() { p.once = true })
	if login != nil {
		reason = login.Error() + "; " + login.hint()
	}
	p.m.opts.Log(p.cfg.Name, "is down: "+reason, true)
}

// publish must not be called with mu held.
func (p *peer) publish() {
	if p.mine == nil {
		p.m.publish()
	}
}

// letGo takes no more calls. When the server was disabled, those under way may end
// before their connection does; they have their own deadlines.
func (p *peer) letGo(s *session, ctx, life context.Context) {
	p.mu.Lock()
	p.session = nil
	p.mu.Unlock()
	if ctx.Err() == nil {
		return // it ended by itself
	}
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		s.calls.Wait()
	}()
	select {
	case <-idle:
	case <-s.ended:
	case <-life.Done():
	}
}

// set changes the state and wakes who waits for a change, unless the server's life
// was ended meanwhile: who ended it has set the state.
func (p *peer) set(ctx context.Context, f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	p.changeLocked(f)
}

func (p *peer) changeLocked(f func()) {
	f()
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *peer) offered() []catalog.Tool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == stateDisabled {
		return nil
	}
	return slices.Clone(p.tools)
}

func (p *peer) settled() (bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.once, p.changed
}

func (p *peer) whyAbsent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == stateReady || p.reason == "" {
		return ""
	}
	return p.notReadyLocked()
}

// whyHidden says of a name whether the entry hides it: not whether the server has
// such a tool.
func (p *peer) whyHidden(name string) string {
	tool := afterServer(name, p.idents)
	if tool == "" || !p.rules.Load().Denies(tool) {
		return ""
	}
	return clip(tool, 100) + " is hidden by the configuration of the server " + p.cfg.Name + " (deny)"
}

// notReadyLocked says in one sentence why a call can't be made.
func (p *peer) notReadyLocked() string {
	switch p.state {
	case stateDisabled:
		return "the server " + p.cfg.Name + " can't be called: " + p.reason
	case stateLogin:
		return "the server " + p.cfg.Name + " needs a login; " + p.reason
	case stateFailed:
		return "the server " + p.cfg.Name + " can't be started: " + p.reason
	}
	s := "the server " + p.cfg.Name + " is down: " + p.reason
	if wait := time.Until(p.retryAt).Round(time.Second); p.state == stateDown && wait > 0 {
		s += fmt.Sprintf("; it is started again in %v", wait)
	}
	return s
}

// await gives the session, and waits for a server that is starting. The caller says
// Done on the session's calls.
func (p *peer) await(ctx context.Context) (*session, error) {
	for {
		p.mu.Lock()
		s, state, changed, why := p.session, p.state, p.changed, p.notReadyLocked()
		if state == stateReady && s != nil {
			s.calls.Add(1)
			p.mu.Unlock()
			return s, nil
		}
		p.mu.Unlock()
		switch {
		case state != stateStarting && state != stateReady:
			return nil, &Error{Message: why, Hint: "the call was not made"}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, &Error{Message: "the server " + p.cfg.Name + " is still starting", Hint: "the call was not made; try again in a few seconds"}
		}
	}
}

func (p *peer) status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := Status{Name: p.cfg.Name, Transport: p.cfg.Transport(), State: p.state, Reason: p.reason, Protocol: p.protocol,
		Tools: len(p.tools), Warnings: slices.Clone(p.warnings)}
	if p.waits != "" {
		s.Warnings = append(s.Warnings, p.waits)
	}
	if p.session != nil {
		s.Warnings = append(s.Warnings, p.session.oddities()...)
	}
	return s
}
