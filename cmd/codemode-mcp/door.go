package main

import (
	"net/http"
	"reflect"
	"sync/atomic"

	"codemode-mcp/internal/auth"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/httpd"
	"codemode-mcp/internal/policy"
)

// door says who makes a request, by the configuration that is in force.
type door struct {
	atomic.Pointer[keeper]
	log func(string, error)
}

// keeper is the door under one configuration.
type keeper struct {
	*auth.Verifier
	cfg  config.Auth
	open *policy.Principal // whom everybody is taken for; nil where they are asked
}

var _ httpd.Verifier = (*door)(nil)

func newDoor(cfg *config.Config, log func(string, error)) *door {
	d := &door{log: log}
	var open *policy.Principal
	if !cfg.Auth.Some() {
		open = &policy.Principal{ID: localUser, Role: cfg.Role}
	}
	d.Store(d.keeper(cfg.Auth, open))
	return d
}

func (d *door) keeper(cfg config.Auth, open *policy.Principal) *keeper {
	return &keeper{auth.New(cfg, open, d.log), cfg, open}
}

// take judges by a new configuration from now on. An open door may be closed, but
// a file that changes never opens one. The caller sees to it that one is taken at a
// time.
func (d *door) take(cfg *config.Config) (waiting []string) {
	old := d.Load()
	var open *policy.Principal
	switch {
	case cfg.Auth.Some():
	case old.open == nil:
		waiting = []string{"auth (it was taken out of the file: until a restart every request is refused)"}
	default:
		open = &policy.Principal{ID: localUser, Role: cfg.Role}
	}
	if reflect.DeepEqual(old.cfg, cfg.Auth) && reflect.DeepEqual(old.open, open) {
		return waiting // keys that were fetched stay
	}
	d.Swap(d.keeper(cfg.Auth, open)).Close()
	return waiting
}

// Verify says who makes a request.
func (d *door) Verify(r *http.Request) (auth.Identity, error) { return d.Load().Verify(r) }

// Metadata says how to come by a token.
func (d *door) Metadata() (issuer string, scopes []string) { return d.Load().Metadata() }
