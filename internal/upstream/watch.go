package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// watch follows the session until it ends, and reads the list again when it
// changed. It returns why the session ended.
func (p *peer) watch(ctx context.Context, s *session) error {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.client.Wait() // the reason is better known to the session
	}()
	s.ended = ended
	soon := time.NewTimer(debounce)
	soon.Stop()
	defer soon.Stop()
	pending, last := false, time.Time{}
	var poll <-chan time.Time
	if s.child == nil {
		ticker := time.NewTicker(pollEvery)
		defer ticker.Stop()
		poll = ticker.C
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return s.whyEnded()
		case <-s.listChanged:
			if !pending { // not put off by each: a flood of them has no end
				pending = true
				soon.Reset(max(debounce, time.Until(last.Add(relistEvery))))
			}
			continue
		case <-soon.C:
			pending = false
		case <-poll:
		}
		last = time.Now()
		before := p.definitions()
		if err := p.relist(ctx, s); err != nil {
			p.m.opts.Log(p.cfg.Name, "could not be listed again: "+p.redact(err.Error()), true)
			continue
		}
		if slices.EqualFunc(before, p.definitions(), func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			continue
		}
		p.publish()
		p.saveCache()
	}
}

// relist reads the list of tools.
func (p *peer) relist(ctx context.Context, s *session) error {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	raw, warnings, err := s.list(ctx)
	if err != nil {
		return fmt.Errorf("list tools: %w", err)
	}
	if s.child == nil && s.protocol >= modernRevision {
		raw, warnings = dropBadHeaders(raw, warnings)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	tools, more := p.convert(raw, false)
	p.raw, p.tools, p.warnings = raw, tools, append(warnings, more...)
	return nil
}

// definitions are the tools as they came.
func (p *peer) definitions() []json.RawMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.raw
}
