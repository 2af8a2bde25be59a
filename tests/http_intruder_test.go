package tests

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// leaks are words that no refusal may hold: of the language, of paths, of other
// principals and of why a token does not fit.
var leaks = []string{"goroutine", ".go:", "panic", "/tmp/", "runtime", "jwt", "signature", "expired", "audience", "jwt:", "sha256", "kid", "interface {}", "go value"}

// Everything an intruder tries is refused with the right status and a JSON-RPC
// error that tells nothing.
func TestHTTPIntruder(t *testing.T) {
	i := newIssuer(t)
	e := startHTTP(t, `{"writable":true,`+i.config()+`}`, "--metrics", "127.0.0.1:0", "--workspace", workspaceOf(t, map[string]string{"a.txt": "hello"}))
	ada := e.join(legacyEra, i.token())
	if env := ada.run(`return 1`); string(env.Result) != "1" {
		t.Fatalf("a right token: %+v", env)
	}
	handle := e.join(modernEra, i.token()).run(`return 1`).Session
	eve := i.token("sub", "eve", "scope", "mcp:read")

	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	bearer := func(token string, more ...string) map[string]string {
		h := map[string]string{"Authorization": "Bearer " + token, "Mcp-Session-Id": ada.session}
		for n := 0; n < len(more); n += 2 {
			h[more[n]] = more[n+1]
		}
		return h
	}
	none := func(method jwt.SigningMethod, key any) string {
		i.mu.Lock()
		defer i.mu.Unlock()
		return i.sign(method, key, i.claims())
	}
	for name, c := range map[string]struct {
		method, url string
		header      map[string]string
		body        string
		status      int
		challenge   string // what WWW-Authenticate holds
	}{
		"no token":            {header: map[string]string{}, status: 401, challenge: "resource_metadata="},
		"wrong token":         {header: bearer("nonsense"), status: 401, challenge: `error="invalid_token"`},
		"expired":             {header: bearer(i.token("exp", time.Now().Add(-time.Hour).Unix())), status: 401, challenge: `error="invalid_token"`},
		"wrong audience":      {header: bearer(i.token("aud", "https://other.example.com")), status: 401, challenge: `error="invalid_token"`},
		"wrong issuer":        {header: bearer(i.token("iss", "https://evil.example")), status: 401, challenge: `error="invalid_token"`},
		"alg none":            {header: bearer(none(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType)), status: 401, challenge: `error="invalid_token"`},
		"HS256, public key":   {header: bearer(none(jwt.SigningMethodHS256, i.publicPEM())), status: 401, challenge: `error="invalid_token"`},
		"no role":             {header: bearer(i.token("scope", "openid")), status: 403, challenge: `error="insufficient_scope"`},
		"token in the query":  {url: e.url + "?access_token=" + url.QueryEscape(i.token()), header: map[string]string{}, status: 401, challenge: "Bearer"},
		"token in both":       {url: e.url + "?access_token=x", header: bearer(i.token()), status: 400, challenge: `error="invalid_request"`},
		"basic":               {header: map[string]string{"Authorization": "Basic YTpi"}, status: 401, challenge: "Bearer"},
		"foreign session":     {header: bearer(eve), status: 404},
		"made-up session":     {header: bearer(i.token(), "Mcp-Session-Id", "nonsense"), status: 404},
		"huge session":        {header: bearer(i.token(), "Mcp-Session-Id", strings.Repeat("x", 1000)), status: 400},
		"host":                {header: bearer(i.token(), "Host", "evil.example"), status: 403},
		"origin null":         {header: bearer(i.token(), "Origin", "null"), status: 403},
		"origin":              {header: bearer(i.token(), "Origin", "https://evil.example"), status: 403},
		"cross-site":          {header: bearer(i.token(), "Sec-Fetch-Site", "cross-site"), status: 403},
		"a form's POST":       {header: bearer(i.token(), "Content-Type", "text/plain"), status: 415},
		"preflight":           {method: http.MethodOptions, header: map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}, status: 403},
		"10 MB":               {header: bearer(i.token()), body: strings.Repeat(" ", 10<<20), status: 413},
		"no JSON":             {header: bearer(i.token()), body: "{", status: 400},
		"nothing":             {header: bearer(i.token()), body: " ", status: 400},
		"a deep body":         {header: bearer(i.token()), body: strings.Repeat("[", 1<<20), status: 400},
		"a large batch":       {header: bearer(i.token()), body: "[" + strings.Repeat(ping+",", 99) + ping + "]", status: 400},
		"a batch":             {header: bearer(i.token(), "Mcp-Protocol-Version", legacyEra), body: "[" + ping + "]", status: 400},
		"no session":          {header: bearer(i.token(), "Mcp-Session-Id", ""), body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, status: 400},
		"a batch, no session": {header: bearer(i.token(), "Mcp-Session-Id", ""), body: "[" + ping + `,{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"execute_script","arguments":{"script":"return 1"}}}]`, status: 400},
		"half an id":          {header: bearer(i.token()), body: `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, status: 400},
		"an id too large":     {header: bearer(i.token()), body: `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, status: 400},
		"origin with a user":  {header: bearer(i.token(), "Origin", strings.Replace(strings.TrimSuffix(e.url, "/mcp"), "://", "://x@", 1)), status: 403},
		"origin with a path":  {header: bearer(i.token(), "Origin", e.url), status: 403},
		"an odd id":           {header: bearer(i.token()), body: `{"jsonrpc":"2.0","id":{},"method":"ping"}`, status: 400},
		"an odd method":       {header: bearer(i.token()), body: `{"jsonrpc":"2.0","id":1,"method":[]}`, status: 400},
		"PUT":                 {method: http.MethodPut, header: bearer(i.token()), status: 405},
		"TRACE":               {method: http.MethodTrace, header: bearer(i.token()), status: 405},
		"an odd revision":     {header: bearer(i.token(), "Mcp-Protocol-Version", "2099-01-01"), status: 400},
		"an old revision":     {header: bearer(i.token(), "Mcp-Protocol-Version", "1999-01-01"), status: 400},
		"dots":                {url: strings.TrimSuffix(e.url, "/mcp") + "/x/../mcp", header: bearer(i.token()), status: 404},
		"coded dots":          {url: strings.TrimSuffix(e.url, "/mcp") + "/%2e%2e/mcp", header: bearer(i.token()), status: 404},
		"a coded letter":      {url: strings.TrimSuffix(e.url, "/mcp") + "/%6dcp", header: map[string]string{}, status: 404},
		"double slash":        {url: strings.TrimSuffix(e.url, "/mcp") + "//mcp", header: bearer(i.token()), status: 404},
		"a slash behind":      {url: e.url + "/", header: bearer(i.token()), status: 404},
		"capitals":            {url: strings.TrimSuffix(e.url, "/mcp") + "/MCP", header: bearer(i.token()), status: 404},
		"metrics":             {method: http.MethodGet, url: strings.TrimSuffix(e.url, "/mcp") + "/metrics", header: bearer(i.token()), status: 404},
		"pprof":               {method: http.MethodGet, url: strings.TrimSuffix(e.url, "/mcp") + "/debug/pprof/", header: bearer(i.token()), status: 404},
		"a stream of another": {method: http.MethodGet, header: bearer(eve, "Last-Event-ID", "x_0"), status: 404},
	} {
		t.Run(name, func(t *testing.T) {
			if c.method == "" {
				c.method = http.MethodPost
			}
			if c.url == "" {
				c.url = e.url
			}
			if c.body == "" {
				c.body = ping
			}
			a := e.must(c.method, c.url, c.header, c.body)
			if a.status != c.status {
				t.Errorf("got %d, want %d: %.300s", a.status, c.status, a.body)
			}
			if len(a.msgs) != 1 || a.msgs[0].Error == nil || a.msgs[0].Error.Code == 0 || a.msgs[0].Error.Message == "" {
				t.Errorf("no JSON-RPC error: %.300s", a.body)
			}
			if got := a.header.Get("WWW-Authenticate"); !strings.Contains(got, c.challenge) || (c.challenge == "") != (got == "") {
				t.Errorf("WWW-Authenticate is %q, want %s", got, c.challenge)
			}
			for _, word := range leaks {
				if strings.Contains(strings.ToLower(a.body+a.header.Get("WWW-Authenticate")), word) {
					t.Errorf("the answer holds %q: %s", word, a.body)
				}
			}
		})
	}

	t.Run("metrics for another host", func(t *testing.T) {
		at := "http://" + metricsAt.FindStringSubmatch(e.logged())[1]
		for _, path := range []string{"/metrics", "/readyz", "/healthz"} {
			if a := e.must(http.MethodGet, at+path, map[string]string{"Host": "evil.example"}, ""); a.status != http.StatusForbidden {
				t.Errorf("%s: got %d: %.100s", path, a.status, a.body)
			}
			if a := e.must(http.MethodGet, at+path, map[string]string{"Host": "localhost"}, ""); a.status == http.StatusForbidden {
				t.Errorf("%s: localhost is refused", path)
			}
		}
	})
	t.Run("foreign handle", func(t *testing.T) {
		foreign := e.join(modernEra, eve).run(`return state`, "session", handle)
		wrong := e.join(modernEra, eve).run(`return state`, "session", "nonsense")
		if foreign.Kind != "invalid_arguments" || foreign.Kind != wrong.Kind || strings.ReplaceAll(foreign.Message, handle, "") != strings.ReplaceAll(wrong.Message, "nonsense", "") {
			t.Errorf("got %q, for one that never was %q", foreign.Message, wrong.Message)
		}
	})
	t.Run("100,000 headers", func(t *testing.T) {
		status := raw(t, e, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"+strings.Repeat("X-A: b\r\n", 100_000)+"\r\n")
		if !strings.Contains(status, "431") {
			t.Errorf("got %q", status)
		}
	})
	t.Run("smuggling", func(t *testing.T) {
		for _, headers := range []string{"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 4\r\nContent-Length: 5\r\n", "Transfer-Encoding: xchunked\r\n", "Bad Header: x\r\n"} {
			status := raw(t, e, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"+headers+"\r\n0\r\n\r\n")
			if !strings.Contains(status, " 400 ") && !strings.Contains(status, " 401 ") && !strings.Contains(status, " 501 ") {
				t.Errorf("%q: got %q", headers, status)
			}
		}
	})
	t.Run("slow headers", func(t *testing.T) {
		t.Parallel()
		slow(t, e, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n", "X-A: b\r\n")
	})
	t.Run("slow body", func(t *testing.T) {
		t.Parallel()
		slow(t, e, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+i.token()+"\r\nContent-Length: 100000\r\n\r\n", " ")
	})
	t.Run("metadata", func(t *testing.T) {
		a := e.must(http.MethodGet, strings.TrimSuffix(e.url, "/mcp")+"/.well-known/oauth-protected-resource/mcp", nil, "")
		var m struct {
			Resource string   `json:"resource"`
			Servers  []string `json:"authorization_servers"`
			Scopes   []string `json:"scopes_supported"`
		}
		if err := json.Unmarshal([]byte(a.body), &m); err != nil || m.Resource != e.url || len(m.Servers) != 1 || m.Servers[0] != i.URL || len(m.Scopes) != 3 {
			t.Errorf("%d %s", a.status, a.body)
		}
	})
	t.Run("a rotated key", func(t *testing.T) {
		old := i.token()
		i.rotate("second")
		if a := e.must(http.MethodPost, e.url, bearer(i.token()), ping); a.status != 200 {
			t.Errorf("a token of the new key: %d %s", a.status, a.body)
		}
		if a := e.must(http.MethodPost, e.url, bearer(old), ping); a.status != 401 {
			t.Errorf("a token of the old key: %d", a.status)
		}
	})
	if log := e.logged(); strings.Contains(log, "access_token") || strings.Contains(log, i.token()) || strings.Contains(log, "eyJ") {
		t.Error("the log holds a token")
	}
}

// raw sends bytes and gives the first line of the answer.
func raw(t *testing.T, e *endpoint, request string) string {
	t.Helper()
	c := dial(t, e)
	go io.WriteString(c, request) // the answer may come before all is sent
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return line
}

func dial(t *testing.T, e *endpoint) net.Conn {
	t.Helper()
	u, err := url.Parse(e.url)
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience + time.Minute)); err != nil {
		t.Fatal(err)
	}
	return c
}

// slow sends a request drop by drop: the server must end it, not the client.
func slow(t *testing.T, e *endpoint, start, drop string) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes as long as the server's patience")
	}
	c := dial(t, e)
	fmt.Fprint(c, start)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, c) // until the server closes
	}()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
			_, _ = io.WriteString(c, drop) // fails once the server has closed
		case <-limit:
			t.Fatal("the server still waits")
		}
	}
}
