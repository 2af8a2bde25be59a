package workspace

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// pathLocks lets one call at a time change a path. The zero value is ready.
type pathLocks struct {
	mu   sync.Mutex
	held map[string]*pathLock // guarded by mu; only paths somebody holds or waits for
}

type pathLock struct {
	free  chan struct{} // holds one value while nobody has the lock
	users int           // guarded by pathLocks.mu
}

// lock locks the given paths, in one order everywhere, and gives what unlocks
// them. Case does not count: a file system may take a.txt for A.txt.
func (l *pathLocks) lock(ctx context.Context, rels ...string) (unlock func(), err error) {
	keys := make([]string, 0, len(rels))
	for _, r := range rels {
		keys = append(keys, strings.ToLower(r))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for i, key := range keys {
		if err := l.one(ctx, key); err != nil {
			for _, k := range keys[:i] {
				l.unlock(k)
			}
			return nil, err
		}
	}
	return func() {
		for _, key := range keys {
			l.unlock(key)
		}
	}, nil
}

func (l *pathLocks) one(ctx context.Context, key string) error {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[string]*pathLock{}
	}
	p := l.held[key]
	if p == nil {
		p = &pathLock{free: make(chan struct{}, 1)}
		p.free <- struct{}{}
		l.held[key] = p
	}
	p.users++
	l.mu.Unlock()
	select {
	case <-p.free:
		return nil
	case <-ctx.Done():
		l.leave(key, p)
		return ctx.Err()
	}
}

func (l *pathLocks) unlock(key string) {
	l.mu.Lock()
	p := l.held[key]
	l.mu.Unlock()
	p.free <- struct{}{}
	l.leave(key, p)
}

func (l *pathLocks) leave(key string, p *pathLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.users--; p.users == 0 {
		delete(l.held, key)
	}
}
