package tests

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var metricsAt = regexp.MustCompile(`serving metrics.*"address": "([^"]+)"`)

// metric reads one figure of the operator's address.
func (e *endpoint) metric(name string) float64 {
	e.t.Helper()
	at := metricsAt.FindStringSubmatch(e.logged())
	if at == nil {
		e.t.Fatal("no metrics are served")
	}
	a := e.must(http.MethodGet, "http://"+at[1]+"/metrics", nil, "")
	for line := range strings.Lines(a.body) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+" "); ok {
			f, err := strconv.ParseFloat(value, 64)
			if err != nil {
				e.t.Fatal(err)
			}
			return f
		}
	}
	return 0
}

// await polls until a figure has a value.
func (e *endpoint) await(name string, want float64) {
	e.t.Helper()
	for end := time.Now().Add(patience); e.metric(name) != want; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			e.t.Fatalf("%s is %v, want %v", name, e.metric(name), want)
		}
	}
}

const (
	runsRunning = "codemode_runs_running"
	longScript  = `{"name":"execute_script","arguments":{"script":"await sleep(25000); return 'whole'"}}`
)

// start sends a request whose connection can be dropped.
func (u *user) start(method, params string) (answered chan answer, drop context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	header, body := u.request(method, params)
	answered = make(chan answer, 1)
	go func() {
		a, err := u.e.do(ctx, http.MethodPost, u.e.url, header, body)
		if err != nil {
			a.body = err.Error()
		}
		answered <- a
	}()
	return answered, cancel
}

// In the new era a dropped connection ends the run. In the old one it does not:
// there the cancel notification does, and the end of the session.
func TestHTTPCancel(t *testing.T) {
	config, tokens := teamConfig("")
	e := startHTTP(t, config, "--metrics", "127.0.0.1:0")
	cancelled := func() float64 { return e.metric(`codemode_run_seconds_count{outcome="cancelled"}`) }

	modern := e.join(modernEra, tokens["ada"])
	answered, drop := modern.start("tools/call", longScript)
	e.await(runsRunning, 1)
	drop()
	<-answered
	e.await(runsRunning, 0)
	if n := cancelled(); n != 1 {
		t.Errorf("%v runs were cancelled, want 1", n)
	}

	legacy := e.join(legacyEra, tokens["ada"])
	answered, drop = legacy.start("tools/call", longScript)
	e.await(runsRunning, 1)
	drop()
	<-answered
	if env := e.join(legacyEra, tokens["ada"]).run(`await sleep(300); return 1`); string(env.Result) != "1" {
		t.Fatal(env)
	}
	if n := e.metric(runsRunning); n != 1 {
		t.Errorf("a dropped connection of the old era ended the run")
	}
	a := e.must(http.MethodPost, e.url, legacy.headers("", ""), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if a.status != http.StatusAccepted {
		t.Errorf("%d %s", a.status, a.body)
	}
	e.await(runsRunning, 0)

	answered, drop = legacy.start("tools/call", `{"name":"execute_script","arguments":{"script":"await sleep(25000)"}}`)
	defer drop()
	e.await(runsRunning, 1)
	if a := e.must(http.MethodDelete, e.url, legacy.headers("", ""), ""); a.status != http.StatusNoContent {
		t.Errorf("%d %s", a.status, a.body)
	}
	e.await(runsRunning, 0)
	if env, err := (<-answered).envelope(); err != nil || env.Kind != "cancelled" {
		t.Errorf("the run of a session that ended: %v %+v", err, env)
	}
	e.await("codemode_sessions", 1)
}

// A stream of the old era that broke is resumed where it was, by its owner only.
func TestHTTPResume(t *testing.T) {
	config, tokens := teamConfig("")
	e := startHTTP(t, config, "--metrics", "127.0.0.1:0")
	ada := e.join(legacyEra, tokens["ada"])
	ctx, drop := context.WithCancel(context.Background())
	defer drop()
	header, body := ada.request("tools/call", `{"name":"execute_script","arguments":{"script":"await sleep(1000); return 'whole'"}}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	header["Content-Type"], header["Accept"] = "application/json", "application/json, text/event-stream"
	for k, v := range header {
		req.Header.Set(k, v)
	}
	res, err := e.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var last string
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			last = id
			break
		}
	}
	drop()
	resume := ada.headers("", "")
	resume["Last-Event-ID"] = last
	bea := e.join(legacyEra, tokens["bea"]).headers("", "")
	bea["Last-Event-ID"] = last
	if a := e.must(http.MethodGet, e.url, bea, ""); strings.Contains(a.body, "whole") || a.status != http.StatusBadRequest {
		t.Errorf("another session resumes it: %d %s", a.status, a.body)
	}
	var a answer
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) { // the server may not have noticed yet that it broke
		if a = e.must(http.MethodGet, e.url, resume, ""); a.status != http.StatusConflict || time.Now().After(end) {
			break
		}
	}
	if env, err := a.envelope(); err != nil || string(env.Result) != `"whole"` {
		t.Errorf("%v: %d %s", err, a.status, a.body)
	}
}

// The first signal lets runs end, the second cuts them; none hangs.
func TestHTTPShutdown(t *testing.T) {
	t.Run("drained", func(t *testing.T) {
		e := startHTTP(t, "", "--metrics", "127.0.0.1:0")
		var answers []chan answer
		for _, era := range []string{legacyEra, modernEra} {
			u := e.join(era, "")
			for range 3 {
				a, drop := u.start("tools/call", `{"name":"execute_script","arguments":{"script":"await sleep(1500); return 'whole'"}}`)
				defer drop()
				answers = append(answers, a)
				if era == legacyEra {
					break // its requests need ids of their own
				}
			}
		}
		listening, hangUp := e.join(legacyEra, "").listen()
		defer hangUp()
		e.await(runsRunning, float64(len(answers)))
		e.signal(syscall.SIGTERM)
		for _, ch := range answers {
			a := <-ch
			if env, err := a.envelope(); err != nil || string(env.Result) != `"whole"` {
				t.Errorf("%v: %d %s", err, a.status, a.body)
			}
		}
		<-listening
		if err := e.ended(); err != nil {
			t.Errorf("exit: %v", err)
		}
	})
	for _, how := range []string{"the limit", "a second signal"} {
		t.Run("cut by "+how, func(t *testing.T) {
			config := `{"http":{"drainSeconds":1}}`
			if how != "the limit" {
				config = `{"http":{"drainSeconds":60}}`
			}
			e := startHTTP(t, config, "--metrics", "127.0.0.1:0")
			modern, drop := e.join(modernEra, "").start("tools/call", longScript)
			defer drop()
			legacy, drop2 := e.join(legacyEra, "").start("tools/call", longScript)
			defer drop2()
			e.await(runsRunning, 2)
			e.signal(syscall.SIGTERM)
			if how != "the limit" {
				for end := time.Now().Add(patience); e.must(http.MethodGet, "http://"+metricsAt.FindStringSubmatch(e.logged())[1]+"/readyz", nil, "").status != http.StatusServiceUnavailable; {
					if time.Now().After(end) {
						t.Fatal("the server is still ready")
					}
				}
				e.signal(syscall.SIGTERM)
			}
			for _, ch := range []chan answer{modern, legacy} {
				a := <-ch
				if env, err := a.envelope(); err != nil || env.Kind != "cancelled" {
					t.Errorf("%v: %s: %d %s", err, env.Kind, a.status, a.body)
				}
			}
			if err := e.ended(); err != nil {
				t.Errorf("exit: %v", err)
			}
		})
	}
}

// listen opens the stream without a request.
func (u *user) listen() (ended chan answer, hangUp context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	ended = make(chan answer, 1)
	go func() {
		a, err := u.e.do(ctx, http.MethodGet, u.e.url, u.headers("", ""), "")
		if err != nil {
			a.body += err.Error()
		}
		ended <- a
	}()
	return ended, cancel
}

// The socket file takes the place of a dead one, and of nothing else.
func TestHTTPUnix(t *testing.T) {
	dir, err := os.MkdirTemp("", "cm") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "mcp.sock")
	e := startHTTPAt(t, "unix:"+path, "")
	e.url = "http://whatever.example/mcp"
	e.http.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}
	if env := e.join(modernEra, "").run(`return 1`); string(env.Result) != "1" {
		t.Errorf("%+v", env)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o007 != 0 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// Requests come quicker than they may, and more at once: only who sends them is
// told to wait.
func TestHTTPLimits(t *testing.T) {
	config, tokens := teamConfig(`"http":{"requestsPerSecond":5,"maxConcurrentRequests":2},`)
	e := startHTTP(t, config, "--metrics", "127.0.0.1:0")
	ada := e.join(modernEra, tokens["ada"])
	var refused answer
	for range 30 {
		if a := ada.post("tools/list", `{}`); a.status != http.StatusOK {
			refused = a
		}
	}
	if refused.status != http.StatusTooManyRequests || refused.header.Get("Retry-After") == "" || refused.last().Error == nil {
		t.Errorf("%d %s", refused.status, refused.body)
	}
	bea := e.join(modernEra, tokens["bea"])
	if env := bea.run(`return 1`); string(env.Result) != "1" {
		t.Errorf("another principal waits too: %+v", env)
	}
	for range 2 {
		_, drop := bea.start("tools/call", longScript)
		defer drop()
	}
	e.await(runsRunning, 2)
	if a := bea.post("tools/list", `{}`); a.status != http.StatusTooManyRequests {
		t.Errorf("a third request at once: %d", a.status)
	}
	if env := e.join(modernEra, tokens["eddy"]).run(`return 1`); string(env.Result) != "1" {
		t.Errorf("another principal has no place: %+v", env)
	}
}

// A page of a configured origin may use the endpoint, and gets what CORS needs.
func TestHTTPOrigins(t *testing.T) {
	e := startHTTP(t, `{"http":{"allowedOrigins":["https://app.example.com"]}}`)
	a := e.must(http.MethodOptions, e.url, map[string]string{"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,mcp-param-region"}, "")
	if a.status != http.StatusNoContent || a.header.Get("Access-Control-Allow-Origin") != "https://app.example.com" || !strings.Contains(a.header.Get("Access-Control-Allow-Headers"), "mcp-param-region") {
		t.Errorf("%d %v", a.status, a.header)
	}
	u := e.join(modernEra, "")
	header, body := u.request("tools/list", `{}`)
	header["Origin"] = "https://app.example.com"
	if a := e.must(http.MethodPost, e.url, header, body); a.status != http.StatusOK || a.header.Get("Access-Control-Allow-Origin") != "https://app.example.com" || a.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("%d %v", a.status, a.header)
	}
	header["Origin"] = strings.TrimSuffix(e.url, "/mcp")
	if a := e.must(http.MethodPost, e.url, header, body); a.status != http.StatusOK || a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("its own origin: %d %v", a.status, a.header)
	}
}

// Sessions to which nothing comes end.
func TestHTTPIdleSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes as long as the shortest timeout")
	}
	e := startHTTP(t, `{"http":{"sessionTimeoutSeconds":10}}`, "--metrics", "127.0.0.1:0")
	u := e.join(legacyEra, "")
	e.await("codemode_sessions", 1)
	e.await("codemode_sessions", 0)
	if a := u.post("ping", `{}`); a.status != http.StatusNotFound {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// An endpoint that asks nobody begins to ask when the file says so, and never stops
// again: a file that changes opens no door.
func TestHTTPAuthComes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.json")
	change := func(text string) {
		t.Helper()
		if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Fatal(err)
		}
	}
	change(`{}`)
	e := startHTTP(t, "", "--config", file, "--watch")
	nobody := e.join(legacyEra, "")
	until := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("waited in vain until %s:\n%s", what, e.logged())
			}
		}
	}
	refused := func() bool { return nobody.post("ping", `{}`).status == http.StatusUnauthorized }
	if refused() {
		t.Fatal("nobody should be asked yet")
	}
	config, tokens := teamConfig("")
	change(strings.Replace(config, `"tokens"`, `"jwt":{"issuer":"https://id.example.com","audience":"a","roles":{"mcp:read":"viewer"}},"tokens"`, 1))
	until("a request without a token is refused", refused)
	if a := e.join(legacyEra, tokens["ada"]).post("ping", `{}`); a.status != http.StatusOK {
		t.Errorf("a token that was added is refused: %d", a.status)
	}
	a := e.must(http.MethodGet, strings.TrimSuffix(e.url, "/mcp")+"/.well-known/oauth-protected-resource", nil, "")
	if !strings.Contains(a.body, "https://id.example.com") || !strings.Contains(a.body, "mcp:read") {
		t.Errorf("the metadata is that of before: %s", a.body)
	}
	change(`{}`)
	until("the log says what waits", func() bool { return strings.Contains(e.logged(), "until a restart every request is refused") })
	if !refused() {
		t.Error("the door is open again")
	}
}

// A client can't write what it likes into the operator's log.
func TestHTTPLog(t *testing.T) {
	e := startHTTP(t, "")
	raw(t, e, strings.Repeat("A", 50_000)+" /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
	for range 5 {
		e.must(http.MethodPost, e.url, map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	}
	log := e.logged()
	for _, bad := range []string{strings.Repeat("A", 100), "goroutine ", ".go:", "\terror\t"} {
		if strings.Contains(log, bad) {
			t.Errorf("the log has %q", bad)
		}
	}
}
