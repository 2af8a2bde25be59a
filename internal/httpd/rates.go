package httpd

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"codemode-mcp/internal/config"
)

const (
	// maxBuckets bounds a table of rates. The one unused longest goes: by then its
	// bucket is full again.
	maxBuckets = 10_000
	// failuresBurst and failureEvery bound the tries with wrong tokens of one
	// address. Right tokens are never kept out by them.
	failuresBurst = 100
	failureEvery  = time.Second
)

// rates are the buckets of addresses and principals.
type rates struct {
	addresses, principals, failures *buckets
}

func newRates(cfg config.Endpoint) rates {
	return rates{
		addresses:  newBuckets(rate.Limit(cfg.AddressPerSecond), 2*cfg.AddressPerSecond),
		principals: newBuckets(rate.Limit(cfg.RequestsPerSecond), 2*cfg.RequestsPerSecond),
		failures:   newBuckets(rate.Every(failureEvery), failuresBurst),
	}
}

func (r *rates) address(a string) (time.Duration, bool)   { return r.addresses.take(a) }
func (r *rates) principal(p string) (time.Duration, bool) { return r.principals.take(p) }
func (r *rates) failure(a string) (time.Duration, bool)   { return r.failures.take(a) }

// buckets is a bounded table of token buckets.
type buckets struct {
	limit rate.Limit
	burst int

	mu    sync.Mutex
	byKey map[string]*list.Element // guarded by mu
	used  *list.List               // guarded by mu: of *bucket, the latest first
}

type bucket struct {
	key string
	*rate.Limiter
}

func newBuckets(limit rate.Limit, burst int) *buckets {
	return &buckets{limit: limit, burst: burst, byKey: map[string]*list.Element{}, used: list.New()}
}

// take takes one token. When there is none, it says how long until there is.
func (b *buckets) take(key string) (wait time.Duration, ok bool) {
	b.mu.Lock()
	e := b.byKey[key]
	if e == nil {
		if b.used.Len() >= maxBuckets {
			oldest := b.used.Back()
			delete(b.byKey, b.used.Remove(oldest).(*bucket).key)
		}
		e = b.used.PushFront(&bucket{key, rate.NewLimiter(b.limit, b.burst)})
		b.byKey[key] = e
	}
	b.used.MoveToFront(e)
	l := e.Value.(*bucket).Limiter
	b.mu.Unlock()
	if l.Allow() {
		return 0, true
	}
	return time.Duration(float64(time.Second) / float64(b.limit)), false
}

// gate bounds what one principal has under way, so that it can't take all places
// of the queues behind.
type gate struct {
	maxRuns, maxStreams int

	mu  *sync.Mutex
	now map[gateKey]int // guarded by mu
}

type gateKey struct {
	principal string
	endless   bool
}

func newGate(cfg config.Endpoint) gate {
	return gate{maxRuns: cfg.MaxConcurrent, maxStreams: max(cfg.MaxSessionsPerPrincipal, cfg.MaxConcurrent), mu: &sync.Mutex{}, now: map[gateKey]int{}}
}

// enter takes places for requests, and gives what leaves them.
func (g *gate) enter(principal string, endless bool, weight int) (leave func(), ok bool) {
	key, limit := gateKey{principal, endless}, g.maxRuns
	if endless {
		limit = g.maxStreams
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.now[key]+weight > limit {
		return nil, false
	}
	g.now[key] += weight
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.now[key] -= weight; g.now[key] <= 0 {
			delete(g.now, key)
		}
	}, true
}
