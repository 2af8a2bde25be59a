package tests

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// SIGHUP reads the configuration again: a token that was taken out is refused from
// then on.
func TestHTTPReload(t *testing.T) {
	config, tokens := teamConfig("")
	file := filepath.Join(t.TempDir(), "c.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(config)
	e := startHTTP(t, "", "--config", file)
	ada := e.join(legacyEra, tokens["ada"])
	write(`{"auth":{"tokens":[{"name":"vera","role":"viewer","sha256":"` + digestOf(tokens["vera"]) + `"}]}}`)
	e.signal(syscall.SIGHUP)
	for end := time.Now().Add(patience); ada.post("ping", `{}`).status != http.StatusUnauthorized; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the token is still taken")
		}
	}
	write(`{`)
	e.signal(syscall.SIGHUP)
	for end := time.Now().Add(patience); !strings.Contains(e.logged(), "was not taken"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the log does not name the mistake")
		}
	}
	if a := e.join(legacyEra, tokens["vera"]).post("ping", `{}`); a.status != http.StatusOK {
		t.Errorf("a broken file was taken: %d", a.status)
	}
}

// A stream was let in by a configuration. When that changes, it ends if it would not
// be opened any more, or not as the same principal, and stays if it would.
func TestHTTPReloadEndsStreams(t *testing.T) {
	config, tokens := teamConfig("")
	only := func(name, role string) string {
		return `{"auth":{"tokens":[{"name":"` + name + `","role":"` + role + `","sha256":"` + digestOf(tokens[name]) + `"}]}}`
	}
	tests := []struct {
		name, before, after string
		ada                 string // the token that ada's client sends
		bea                 string // that of one who may stay; empty: nobody
	}{
		{"a token is taken out", config, only("bea", "admin"), tokens["ada"], tokens["bea"]},
		{"a role is lowered", config, only("ada", "viewer"), tokens["ada"], ""},
		{"nobody was asked before", `{}`, only("ada", "admin"), "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "c.json")
			write := func(text string) {
				t.Helper()
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(tt.before)
			e := startHTTP(t, "", "--config", file)
			var gone, stay []*openStream
			for _, era := range []string{legacyEra, modernEra} {
				gone = append(gone, e.join(era, tt.ada).stream())
				if tt.bea != "" {
					stay = append(stay, e.join(era, tt.bea).stream())
				}
			}
			write(tt.after)
			e.signal(syscall.SIGHUP)
			for _, s := range gone {
				select {
				case <-s.ended:
				case <-time.After(patience):
					t.Errorf("a stream of %s is still open", s.era)
				}
			}
			for _, s := range stay {
				select {
				case <-s.ended:
					t.Errorf("a stream of %s ended, though its token is still taken", s.era)
				default:
				}
			}
		})
	}
}

// openStream is a stream without an end of its own that the server has begun.
type openStream struct {
	era   string
	ended chan struct{}
}

func (u *user) stream() *openStream {
	t := u.e.t
	t.Helper()
	method, header, body := http.MethodGet, u.headers("", ""), ""
	if u.era == modernEra {
		method = http.MethodPost
		header, body = u.request("subscriptions/listen", `{"notifications":{"toolsListChanged":true}}`)
	}
	ctx, hangUp := context.WithCancel(context.Background())
	t.Cleanup(hangUp)
	req, err := http.NewRequestWithContext(ctx, method, u.e.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		if v != "" {
			req.Header.Set(k, v)
		}
	}
	res, err := u.e.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s: %s", u.era, res.Status)
	}
	s := &openStream{u.era, make(chan struct{})}
	go func() {
		defer close(s.ended)
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body) // it is read to its end, however that comes
	}()
	return s
}
