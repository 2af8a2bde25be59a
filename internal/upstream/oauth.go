package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"codemode-mcp/internal/tokens"
)

// loginError says that a person must log in before the server answers.
type loginError struct {
	server string
	file   string   // the config file as a shell takes it, or FILE
	scopes []string // what the login lacks, if it is there
}

func (e *loginError) Error() string {
	if len(e.scopes) > 0 {
		return fmt.Sprintf("the login to the server %s lacks rights (%s)", e.server, clean(strings.Join(e.scopes, " ")))
	}
	return "the server " + e.server + " needs a login"
}

func (e *loginError) hint() string {
	return "a person must run: codemode-mcp login " + e.server + " --config " + e.file
}

// loginFile is the config file as one writes it in a shell. Where it must not be
// told, the word FILE stands for it.
func (m *Manager) loginFile() string {
	switch file := m.opts.File; {
	case file == "":
		return "FILE"
	case strings.ContainsFunc(file, func(r rune) bool { return !strings.ContainsRune(plainInShell, r) }):
		return "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	default:
		return file
	}
}

const plainInShell = "/._-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// renewTimeout bounds the renewal of a token. Calls of the server wait for it.
const renewTimeout = 20 * time.Second

// login gives requests the token of a kept login, and renews it. It never asks a
// person anything: that is what [Login] is for.
//
// The file is read again when it changed, so that a login in another terminal, or a
// renewal by another process, is taken up.
type login struct {
	p      *peer
	client *http.Client

	turn  chan struct{} // holds one while somebody is at it: a lock whose waiting can end
	entry tokens.Entry  // guarded by turn
	have  bool          // guarded by turn
	stamp string        // guarded by turn
}

var _ auth.OAuthHandler = (*login)(nil)

func (p *peer) newLogin(client *http.Client) *login {
	return &login{p: p, client: client, turn: make(chan struct{}, 1)}
}

// enter waits for the turn, as long as ctx lasts.
func (l *login) enter(ctx context.Context) error {
	select {
	case l.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *login) leave() { <-l.turn }

func (p *peer) tokenKey() string { return tokens.Key(p.cfg.URL, p.cfg.Digest) }

// TokenSource gives the token, or none when there is no login that works: the
// server then says what it wants.
func (l *login) TokenSource(ctx context.Context) (oauth2.TokenSource, error) {
	if err := l.enter(ctx); err != nil {
		return nil, err
	}
	defer l.leave()
	if err := l.loadLocked(); err != nil {
		return nil, err
	}
	if !l.have {
		return nil, nil
	}
	if !l.entry.Valid() {
		if err := l.renewLocked(ctx, l.entry.Access); err != nil {
			if beyondRenewal(err) {
				return nil, nil
			}
			return nil, fmt.Errorf("renew the login to the server %s: %w", l.p.cfg.Name, short(err))
		}
	}
	return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: l.entry.Access}), nil
}

func (l *login) loadLocked() error {
	stamp := l.p.m.opts.Tokens.Stamp()
	if l.have && stamp == l.stamp {
		return nil
	}
	e, ok, err := l.p.m.opts.Tokens.Get(l.p.tokenKey())
	if err != nil {
		return err
	}
	l.takeLocked(e, ok)
	l.stamp = stamp
	return nil
}

func (l *login) takeLocked(e tokens.Entry, ok bool) {
	l.entry, l.have = e, ok
	l.p.hideAlso(e.Access, e.Refresh, e.ClientSecret)
}

// beyondRenewal reports whether a person must log in again: the authorization server
// has spoken, it is not just unreachable.
func beyondRenewal(err error) bool {
	var refused *oauth2.RetrieveError
	return errors.Is(err, errNoRefresh) || errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode < 500
}

var errNoRefresh = errors.New("it can't be renewed")

// keepWithin bounds the writing of a token that was given.
const keepWithin = 5 * time.Second

// renewLocked trades the refresh token for a new access token, unless another
// process has done so since used was read. A refresh token is good for one use: this
// login is held meanwhile, and no other.
func (l *login) renewLocked(ctx context.Context, used string) error {
	ctx, cancel := context.WithTimeout(ctx, renewTimeout)
	defer cancel()
	store, key := l.p.m.opts.Tokens, l.p.tokenKey()
	release, err := store.Hold(ctx, key)
	if err != nil {
		return err
	}
	defer release()
	now, ok, err := store.Get(key)
	switch {
	case err != nil:
		return err
	case !ok:
		l.have = false
		return errNoRefresh
	case now.Access != used && now.Valid():
		l.takeLocked(now, true)
		return nil
	case now.Refresh == "":
		return errNoRefresh
	}
	cfg := oauth2.Config{ClientID: now.ClientID, ClientSecret: now.ClientSecret,
		Endpoint: oauth2.Endpoint{TokenURL: now.TokenURL, AuthStyle: oauth2.AuthStyle(now.AuthStyle)}}
	client := *l.client
	client.Transport = withResource{client.Transport, now.Resource}
	token, err := cfg.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, &client), &oauth2.Token{RefreshToken: now.Refresh}).Token()
	if err != nil {
		return err
	}
	// The old token is used up: the new one is kept even if nobody waits any more.
	keep, done := context.WithTimeout(context.WithoutCancel(ctx), keepWithin)
	defer done()
	return store.Update(keep, key, func(kept *tokens.Entry) (*tokens.Entry, error) {
		switch {
		case kept == nil: // logged out meanwhile
			l.have = false
			return nil, errNoRefresh
		case kept.Refresh == now.Refresh: // else a person has logged in meanwhile
			setToken(kept, token)
		}
		l.takeLocked(*kept, true)
		return kept, nil
	})
}

func setToken(e *tokens.Entry, t *oauth2.Token) {
	e.Access, e.Expiry = t.AccessToken, t.Expiry
	if t.RefreshToken != "" { // else the old one stays good
		e.Refresh = t.RefreshToken
	}
	if granted, ok := t.Extra("scope").(string); ok && granted != "" {
		e.Scopes = strings.Fields(granted)
	}
}

// Authorize is asked when the server refused a request. No error means: try once
// more.
func (l *login) Authorize(ctx context.Context, req *http.Request, res *http.Response) error {
	defer res.Body.Close()
	challenges, err := oauthex.ParseWWWAuthenticate(res.Header.Values("WWW-Authenticate"))
	if err != nil {
		challenges = nil // a header that can't be read says nothing
	}
	lacks := &loginError{server: l.p.cfg.Name, file: l.p.m.loginFile()}
	if res.StatusCode == http.StatusForbidden {
		if challenge(challenges, "error") != "insufficient_scope" {
			return nil // a plain refusal: the second try shows it
		}
		lacks.scopes = strings.Fields(challenge(challenges, "scope"))
		l.remember(ctx, lacks.scopes)
		l.p.denied.Store(lacks)
		return lacks
	}
	used := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
	if err := l.enter(ctx); err != nil {
		return err
	}
	defer l.leave()
	l.stamp = "" // look again
	if err := l.loadLocked(); err != nil {
		return err
	}
	switch {
	case !l.have:
		l.p.denied.Store(lacks)
		return lacks
	case l.entry.Access != used && l.entry.Valid():
		return nil
	}
	if err = l.renewLocked(ctx, used); beyondRenewal(err) {
		l.p.denied.Store(lacks)
		return lacks
	} else if err != nil {
		return short(err)
	}
	return nil
}

// maxScopes bounds what a server may ask for, and maxScope one of them, in bytes.
const (
	maxScopes = 100
	maxScope  = 200
)

// remember keeps what the server asked for, for the next login.
func (l *login) remember(ctx context.Context, scopes []string) {
	ctx, cancel := context.WithTimeout(ctx, renewTimeout)
	defer cancel()
	// Without it the next login asks for what the server names then.
	_ = l.p.m.opts.Tokens.Update(ctx, l.p.tokenKey(), func(e *tokens.Entry) (*tokens.Entry, error) {
		if e == nil {
			return nil, nil
		}
		e.Wanted = union(e.Wanted, scopes)
		return e, nil
	})
}

// union joins scopes, in order, each once.
func union(lists ...[]string) []string {
	var out []string
	for _, list := range lists {
		for _, s := range list {
			if len(out) < maxScopes && len(s) <= maxScope && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// challenge is a parameter of the Bearer challenge, or empty.
func challenge(all []oauthex.Challenge, name string) string {
	for _, c := range all {
		if strings.EqualFold(c.Scheme, "bearer") && c.Params[name] != "" {
			return c.Params[name]
		}
	}
	return ""
}
