package session

import (
	"container/list"
	"crypto/rand"
	"sync"
	"time"
)

const (
	// maxHandles bounds the handles of one principal, maxAllHandles those of all; the
	// one unused longest goes.
	maxHandles    = 1000
	maxAllHandles = 20000
)

// Handles are sessions for transports that have none: each is a word that the
// server made up, that can't be guessed and that only the principal it was made
// for can use. It expires when it was not used for a while, and with it what the
// store keeps. Make it with [NewHandles]; it is safe for concurrent use.
type Handles struct {
	store Store
	life  time.Duration
	now   func() time.Time

	mu    sync.Mutex
	byKey map[Key]*list.Element // guarded by mu
	order *list.List            // guarded by mu: of handle, the one unused longest first
	count map[string]int        // guarded by mu: of each principal
}

type handle struct {
	key  Key
	used time.Time
}

// NewHandles makes an empty table. A handle that was not used for life expires.
func NewHandles(store Store, life time.Duration) *Handles {
	return &Handles{store: store, life: life, now: time.Now,
		byKey: map[Key]*list.Element{}, order: list.New(), count: map[string]int{}}
}

// handlePrefix keeps handles apart from the sessions of a transport, and tells a
// reader what the word is.
const handlePrefix = "session-"

// Mint makes a new handle for a principal.
func (h *Handles) Mint(principal string) Key {
	key := Key{Principal: principal, Session: handlePrefix + rand.Text()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expireLocked()
	if h.count[principal] >= maxHandles {
		h.dropOldestLocked(func(k Key) bool { return k.Principal == principal })
	}
	if h.order.Len() >= maxAllHandles {
		h.dropOldestLocked(func(Key) bool { return true })
	}
	h.byKey[key] = h.order.PushBack(&handle{key, h.now()})
	h.count[principal]++
	return key
}

// Open gives the session of a handle. It is false for a handle that expired, was
// never made, or was made for another principal: nobody can tell which.
func (h *Handles) Open(principal, name string) (Key, bool) {
	key := Key{Principal: principal, Session: name}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expireLocked()
	e := h.byKey[key]
	if e == nil {
		return Key{}, false
	}
	e.Value.(*handle).used = h.now()
	h.order.MoveToBack(e)
	return key, true
}

func (h *Handles) expireLocked() {
	for e := h.order.Front(); e != nil && h.now().Sub(e.Value.(*handle).used) > h.life; e = h.order.Front() {
		h.dropLocked(e)
	}
}

func (h *Handles) dropOldestLocked(which func(Key) bool) {
	for e := h.order.Front(); e != nil; e = e.Next() {
		if which(e.Value.(*handle).key) {
			h.dropLocked(e)
			return
		}
	}
}

func (h *Handles) dropLocked(e *list.Element) {
	key := h.order.Remove(e).(*handle).key
	delete(h.byKey, key)
	if h.count[key.Principal]--; h.count[key.Principal] == 0 {
		delete(h.count, key.Principal)
	}
	h.store.End(key)
}
