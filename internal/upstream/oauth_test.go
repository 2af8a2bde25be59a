package upstream

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/tokens"
	"codemode-mcp/tests/authfake"
)

// account is a server that wants a login, and what we keep of it.
type account struct {
	t     *testing.T
	auth  *authfake.Server
	store *tokens.Store
	cfg   config.Server

	mu  sync.Mutex
	log []string
}

func newAccount(t *testing.T, own *config.OAuth) *account {
	t.Helper()
	a := &account{t: t, auth: authfake.New(), store: tokens.New(filepath.Join(t.TempDir(), "tokens"))}
	t.Cleanup(a.auth.Close)
	a.cfg = config.Server{Key: "web", Name: "web", URL: a.auth.URL + "/mcp", Protocol: "auto", Role: policy.Admin, Digest: "d", OAuth: own}
	return a
}

// login plays the person with the browser; visit sees the address first.
func (a *account) login(visit func(address string)) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var browser sync.WaitGroup
	defer browser.Wait()
	return Login(ctx, LoginOptions{Server: a.cfg, Tokens: a.store, Version: "1", Show: func(address string) {
		browser.Add(1)
		go func() {
			defer browser.Done()
			if visit != nil {
				visit(address)
			}
			if res, err := http.Get(address); err == nil {
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
			http.DefaultClient.CloseIdleConnections()
		}()
	}})
}

func (a *account) mustLogin() {
	a.t.Helper()
	if err := a.login(nil); err != nil {
		a.t.Fatal(err)
	}
}

// open starts a manager over the server.
func (a *account) open() *home {
	h := &home{t: a.t}
	h.Manager = New(Options{Servers: []config.Server{a.cfg}, Tokens: a.store,
		Publish: func(tools []catalog.Tool) { h.mu.Lock(); h.tools = tools; h.mu.Unlock() },
		Log: func(_, event string, _ bool) {
			a.mu.Lock()
			a.log = append(a.log, event)
			a.mu.Unlock()
		}})
	h.Open()
	a.t.Cleanup(h.Close)
	h.settle()
	return h
}

// said is what a tool answers, or why it does not, with the hint.
func said(h *home, tool string) string {
	h.t.Helper()
	res, err := h.call(context.Background(), "web", tool, "")
	if err != nil {
		text := "error: " + err.Error()
		if e, ok := err.(*Error); ok {
			text += " (" + e.Hint + ")"
		}
		return text
	}
	return res.Content[0].Text
}

// secrets are what no error and no log may hold.
func (a *account) check(texts ...string) {
	a.t.Helper()
	a.mu.Lock()
	texts = append(texts, a.log...)
	a.mu.Unlock()
	for _, text := range texts {
		for _, secret := range []string{"access-", "refresh-", "topsecret"} {
			if strings.Contains(text, secret) {
				a.t.Errorf("a secret shows: %s", text)
			}
		}
	}
	a.auth.Do(func() {
		if len(a.auth.Wrong) > 0 {
			a.t.Errorf("the authorization server complains: %v", a.auth.Wrong)
		}
	})
}

// A server without a login says what to do; with one it works, also for a manager
// that runs already.
func TestLogin(t *testing.T) {
	a := newAccount(t, nil)
	h := a.open()
	if s := h.state("web"); s.State != stateLogin || !strings.Contains(s.Reason, "codemode-mcp login web") {
		t.Errorf("got %+v", s)
	}
	if _, why := h.Absent(context.Background(), admin, "web.read"); !strings.Contains(why, "codemode-mcp login web") {
		t.Errorf("a call hears %q", why)
	}
	a.mustLogin()
	eventually(t, "the running manager takes the login up", func() bool { return h.state("web").State == stateReady })
	if got := said(h, "read"); got != "read done" {
		t.Errorf("got %s", got)
	}
	leak := said(h, "leak")
	if !strings.Contains(leak, "no luck with ***") {
		t.Errorf("got %s", leak)
	}
	a.check(leak)
}

func TestRenewal(t *testing.T) {
	a := newAccount(t, nil)
	a.mustLogin()
	h := a.open()
	for range 3 { // each renewal brings another refresh token
		a.auth.Expire()
		if got := said(h, "read"); got != "read done" {
			t.Fatalf("got %s", got)
		}
	}
	// Two managers that share a file do not use a refresh token twice.
	other := a.open()
	for range 3 {
		a.auth.Expire()
		var wg sync.WaitGroup
		for _, m := range []*home{h, other, h, other} {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if got := said(m, "read"); got != "read done" {
					t.Errorf("got %s", got)
				}
			}()
		}
		wg.Wait()
	}
	a.check()
}

// A token that runs out is renewed before it is refused.
func TestRenewalInTime(t *testing.T) {
	a := newAccount(t, nil)
	a.auth.Do(func() { a.auth.Lifetime = 10 }) // within the leeway
	a.mustLogin()
	h := a.open()
	if got := said(h, "read"); got != "read done" {
		t.Fatalf("got %s", got)
	}
	a.auth.Do(func() {
		if a.auth.Renewals == 0 {
			t.Error("the token was not renewed")
		}
	})
	a.check()
}

func TestRenewalRefused(t *testing.T) {
	a := newAccount(t, nil)
	a.mustLogin()
	h := a.open()
	a.auth.Do(func() { a.auth.Down = true })
	a.auth.Expire()
	down := said(h, "read")
	if strings.Contains(down, "needs a login") || !strings.Contains(down, "error: ") {
		t.Errorf("an authorization server that is down is no reason for a login: %s", down)
	}
	a.auth.Do(func() { a.auth.Down = false })
	eventually(t, "it works again", func() bool { return said(h, "read") == "read done" })
	a.auth.Revoke()
	refused := said(h, "read")
	if !strings.Contains(refused, "needs a login") || !strings.Contains(refused, "codemode-mcp login web") {
		t.Errorf("got %s", refused)
	}
	a.mustLogin()
	eventually(t, "the new login is taken up", func() bool { return said(h, "read") == "read done" })
	a.auth.Do(func() { a.auth.Wrong = nil }) // it was asked with a token that it had revoked
	a.check(down, refused)
}

// A call that needs more than the login has says so, and the next login asks for it.
func TestStepUp(t *testing.T) {
	a := newAccount(t, nil)
	a.mustLogin()
	h := a.open()
	got := said(h, "write")
	if !strings.Contains(got, "lacks rights (write)") || !strings.Contains(got, "codemode-mcp login web") {
		t.Errorf("got %s", got)
	}
	if got := said(h, "read"); got != "read done" {
		t.Errorf("the session did not survive it: %s", got)
	}
	a.mustLogin()
	eventually(t, "the new rights are there", func() bool { return said(h, "write") == "write done" })
	if got := said(h, "read"); got != "read done" {
		t.Errorf("the old rights are gone: %s", got)
	}
	a.check(got)
}

func TestLoginRefused(t *testing.T) {
	tests := []struct {
		name string
		set  func(*authfake.Server)
		want string
	}{
		{"denied", func(s *authfake.Server) { s.Deny = "access_denied" }, "the login was refused: access_denied"},
		{"wrong issuer", func(s *authfake.Server) { s.Iss = "https://evil.example" }, "issuer"},
		{"wrong state", func(s *authfake.Server) { s.State = "forged" }, "nobody logged in in time"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newAccount(t, nil)
			a.auth.Do(func() { tt.set(a.auth) })
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			done := make(chan struct{})
			err := Login(ctx, LoginOptions{Server: a.cfg, Tokens: a.store, Show: func(address string) {
				go func() {
					defer close(done)
					if res, err := http.Get(address); err == nil {
						res.Body.Close()
					}
					http.DefaultClient.CloseIdleConnections()
				}()
			}})
			<-done
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if _, ok, _ := a.store.Get(tokens.Key(a.cfg.URL, a.cfg.Digest)); ok {
				t.Error("a login was kept")
			}
		})
	}
}

// What other pages send to the port does not end the login.
func TestForgedCallback(t *testing.T) {
	a := newAccount(t, nil)
	err := a.login(func(address string) {
		_, back, _ := strings.Cut(address, "redirect_uri=http%3A%2F%2F")
		host, _, _ := strings.Cut(back, "%2F")
		host = strings.ReplaceAll(host, "%3A", ":")
		for _, query := range []string{"code=stolen", "code=stolen&state=x", "error=access_denied", "state="} {
			res, err := http.Get("http://" + host + "/callback?" + query)
			if err != nil {
				t.Error(err)
				continue
			}
			res.Body.Close()
			if res.StatusCode != http.StatusBadRequest {
				t.Errorf("%s: got status %d", query, res.StatusCode)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	a.check()
}

func TestRegisteredClient(t *testing.T) {
	a := newAccount(t, &config.OAuth{ClientID: "ours", ClientSecret: "topsecret", Grant: config.CodeGrant, Scopes: []string{"read", "write"}})
	a.auth.Do(func() { a.auth.Secret = "topsecret" })
	a.mustLogin()
	h := a.open()
	if got := said(h, "write"); got != "write done" {
		t.Errorf("got %s", got)
	}
	a.auth.Expire()
	if got := said(h, "write"); got != "write done" {
		t.Errorf("after a renewal: got %s", got)
	}
	a.check()
}

func TestClientCredentials(t *testing.T) {
	a := newAccount(t, &config.OAuth{ClientID: "ours", ClientSecret: "topsecret", Grant: config.CredentialsGrant})
	a.auth.Do(func() { a.auth.Secret = "topsecret" })
	h := a.open()
	if got := said(h, "read"); got != "read done" {
		t.Fatalf("got %s", got)
	}
	a.auth.Expire()
	if got := said(h, "read"); got != "read done" {
		t.Errorf("with a new token: got %s", got)
	}
	if got := said(h, "write"); got != "write done" { // more rights are there for the asking
		t.Errorf("got %s", got)
	}
	a.check()
	a.auth.Do(func() { a.auth.Secret = "another" })
	a.auth.Expire()
	refused := said(h, "read")
	if !strings.Contains(refused, "the authorization server refused (invalid_client)") {
		t.Errorf("got %s", refused)
	}
	a.auth.Do(func() { a.auth.Wrong = nil })
	a.check(refused)
}

// A server of before 2025-06 is its own authorization server.
func TestLoginWithoutMetadata(t *testing.T) {
	a := newAccount(t, nil)
	a.auth.Do(func() { a.auth.NoMetadata = true })
	a.mustLogin()
	if got := said(a.open(), "read"); got != "" && !strings.Contains(got, "lacks rights") {
		t.Errorf("got %s", got)
	}
}

// Where the server sends us is held to what a user would expect.
func TestCareful(t *testing.T) {
	for _, tt := range []struct {
		local   bool
		address string
		ok      bool
	}{
		{false, "https://auth.example.com/token", true},
		{false, "http://auth.example.com/token", false},
		{false, "https://127.0.0.1/token", false},
		{false, "https://localhost:8443/token", false},
		{true, "http://127.0.0.1:1/token", true},
	} {
		went := false
		c := careful{roundTrip(func(*http.Request) (*http.Response, error) {
			went = true
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(""))}, nil
		}), tt.local}
		req, _ := http.NewRequest(http.MethodGet, tt.address, nil)
		res, err := c.RoundTrip(req)
		if err == nil {
			res.Body.Close()
		}
		if went != tt.ok || (err == nil) != tt.ok {
			t.Errorf("%s (local %v): went %v, %v", tt.address, tt.local, went, err)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// What goes wrong with a login is told without what the entry keeps secret.
func TestLoginErrorsHoldNoSecrets(t *testing.T) {
	a := newAccount(t, nil)
	a.auth.Close()
	a.cfg.URL += "/path-topsecret?key=topsecret"
	a.cfg.Secrets = []string{"key=topsecret", "topsecret"}
	err := a.login(nil)
	if err == nil || strings.Contains(err.Error(), "topsecret") || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("got %v", err)
	}
}
