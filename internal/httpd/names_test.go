package httpd

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"codemode-mcp/internal/config"
)

func on(local, host string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.Host = host
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(local))))
}

func TestHosts(t *testing.T) {
	n := newNames(config.Endpoint{Addr: "127.0.0.1:8080", PublicURL: "https://mcp.example.com/mcp", Hosts: []string{"inner.example.com"}})
	for _, c := range []struct {
		local, host string
		want        bool
	}{
		{"127.0.0.1:8080", "127.0.0.1:8080", true},
		{"127.0.0.1:8080", "localhost:8080", true},
		{"127.0.0.1:8080", "LOCALHOST.", true},
		{"127.0.0.1:8080", "[::1]:8080", true},
		{"127.0.0.1:8080", "127.1.2.3", true},
		{"127.0.0.1:8080", "mcp.example.com", true},
		{"127.0.0.1:8080", "inner.example.com:1234", true},
		{"127.0.0.1:8080", "evil.example", false},
		{"127.0.0.1:8080", "evil.example:8080", false},
		{"127.0.0.1:8080", "localhost.evil.example", false},
		{"127.0.0.1:8080", "127.0.0.1.evil.example", false},
		{"127.0.0.1:8080", "10.0.0.1", false},
		{"127.0.0.1:8080", "", false},
		{"127.0.0.1:8080", "2130706433", false},
		{"10.0.0.1:8080", "10.0.0.1:8080", true},
		{"10.0.0.1:8080", "evil.example", false},
	} {
		if got := n.host(on(c.local, c.host)); got != c.want {
			t.Errorf("at %s the host %q: %v", c.local, c.host, got)
		}
	}
}

func TestOrigins(t *testing.T) {
	n := newNames(config.Endpoint{Origins: []string{"https://app.example.com"}})
	for origin, want := range map[string][2]bool{
		"https://app.example.com":             {true, true},
		"http://127.0.0.1:8080":               {true, false},
		"https://127.0.0.1:8080":              {false, false},
		"http://127.0.0.1:9090":               {false, false},
		"null":                                {false, false},
		"":                                    {false, false},
		"https://app.example.com.evil.test":   {false, false},
		"http://app.example.com":              {false, false},
		"https://app.example.com:444":         {false, false},
		"file://":                             {false, false},
		"http://127.0.0.1:8080@evil.example":  {false, false},
		"http://evil.example/#127.0.0.1:8080": {false, false},
	} {
		ok, cors := n.allowed(on("127.0.0.1:8080", "127.0.0.1:8080"), origin)
		if [2]bool{ok, cors} != want {
			t.Errorf("%q: %v %v", origin, ok, cors)
		}
	}
}

func TestAddresses(t *testing.T) {
	n := newNames(config.Endpoint{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	for _, c := range []struct{ remote, forwarded, want string }{
		{"1.2.3.4:5", "", "1.2.3.4"},
		{"1.2.3.4:5", "6.6.6.6", "1.2.3.4"}, // anybody can say so
		{"10.0.0.1:5", "6.6.6.6", "6.6.6.6"},
		{"10.0.0.1:5", "9.9.9.9, 6.6.6.6, 10.0.0.2", "6.6.6.6"}, // what came before is the client's own word
		{"10.0.0.1:5", "nonsense", "10.0.0.1"},
		{"10.0.0.1:5", "", "10.0.0.1"},
		{"[2001:db8:1:2:3:4:5:6]:5", "", "2001:db8:1:2::/64"},
		{"[::ffff:1.2.3.4]:5", "", "1.2.3.4"},
		{"[::1]:5", "", "::1"},
		{"@", "6.6.6.6", "6.6.6.6"},
		{"@", "", "unix"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := n.address(r); got != c.want {
			t.Errorf("%s with %q: got %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}

func TestCORSHeaders(t *testing.T) {
	got := corsHeaders("Authorization, Mcp-Param-Region, x-evil, mcp-param-, mcp-param-a\r\nb, Mcp-Param-x_y")
	if want := len(ownHeaders) + 2; len(got) != want {
		t.Errorf("got %q", got)
	}
}

func TestTables(t *testing.T) {
	b := newBuckets(1, 2)
	for n, want := range []bool{true, true, false} {
		if _, ok := b.take("a"); ok != want {
			t.Errorf("take %d: %v", n, ok)
		}
	}
	for n := range maxBuckets + 10 {
		b.take(string(rune(n)) + "x")
	}
	if b.used.Len() > maxBuckets || len(b.byKey) != b.used.Len() {
		t.Errorf("%d buckets, %d keys", b.used.Len(), len(b.byKey))
	}
	g := newGate(config.Endpoint{MaxConcurrent: 3, MaxSessionsPerPrincipal: 1})
	leave, ok := g.enter("a", false, 3)
	if _, more := g.enter("a", false, 1); !ok || more {
		t.Error("a principal has more than its places")
	}
	if _, other := g.enter("b", false, 1); !other {
		t.Error("another principal has no place")
	}
	leave()
	if _, again := g.enter("a", false, 3); !again {
		t.Error("a place was not given back")
	}
}

// A body is only looked at: whatever it is, nothing breaks and bounds hold.
func FuzzParseMessage(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		`[{"id":1,"method":"ping"},{"id":2,"method":"ping"}]`, `[]`, `null`, `[null]`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"id":{},"method":7}`, `[[[[`, `{"method":"a","METHOD":"b"}`, ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, code, refusal := parseMessage(body)
		if (refusal == "") != (code == 0) {
			t.Errorf("code %d, refusal %q", code, refusal)
		}
		if m.count > maxBatch || m.calls > m.count {
			t.Errorf("%+v", m)
		}
		errorBody(-1, m.id, "x") // the id is written as it came: it must encode
	})
}

func TestParseMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`:    `invalid request: "jsonrpc" must be "2.0"`,
		`{"jsonrpc":"2.0","id":1}`:                    `invalid request: "method" is missing`,
		`{"jsonrpc":"2.0","id":1,"method":7}`:         `invalid request: "method" must be a string`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:   `invalid request: "id" must be a string or a number`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`: `invalid request: "id" must be a string or a number`,
		`[1]`:                                  `invalid request: want a JSON-RPC object`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`: "",
	} {
		if _, _, refusal := parseMessage([]byte(body)); refusal != want {
			t.Errorf("%s: %q", body, refusal)
		}
	}
	m, _, _ := parseMessage([]byte(`{"jsonrpc":"2.0","id":"a","method":"tools/call","METHOD":"ping","params":{"name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`))
	if m.method != "tools/call" || m.tool != "x" || m.version != "2026-07-28" || m.calls != 1 || string(m.id) != `"a"` {
		t.Errorf("%+v", m)
	}
}
