package config

import (
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Endpoint is how the HTTP endpoint listens and what it lets through. Its zero fields are
// filled by [DefaultEndpoint].
type Endpoint struct {
	// Addr is HOST:PORT, unix:PATH or systemd. Empty: stdio is served.
	Addr string
	// MetricsAddr serves /metrics. Empty: nobody does.
	MetricsAddr string
	// PublicURL is the endpoint's address as clients know it, behind a proxy.
	PublicURL string
	// Hosts are names that a Host header may have beside the loopback's, the
	// listener's and the PublicURL's.
	Hosts []string
	// Origins may use the endpoint from a browser.
	Origins []string
	// Proxies are whose X-Forwarded-For is believed.
	Proxies []netip.Prefix
	// Cert and Key are files. Both or none.
	Cert, Key string
	// InsecureNoAuth listens beyond loopback without authentication.
	InsecureNoAuth bool

	MaxBodyKB               int
	MaxSessions             int
	MaxSessionsPerPrincipal int
	SessionTimeout          time.Duration
	RequestsPerSecond       int // of one principal
	AddressPerSecond        int // of one address
	MaxConcurrent           int // requests of one principal under way
	MaxConnections          int
	Drain                   time.Duration
}

// DefaultEndpoint is what holds when nothing is said.
func DefaultEndpoint() Endpoint {
	return Endpoint{
		MaxBodyKB: 8192, MaxSessions: 1000, MaxSessionsPerPrincipal: 100, SessionTimeout: 30 * time.Minute,
		RequestsPerSecond: 100, AddressPerSecond: 200, MaxConcurrent: 64, MaxConnections: 2048, Drain: 30 * time.Second,
	}
}

// setting is one key of a section: where its value goes and what it may be.
type setting struct {
	key      string
	to       any
	min, max int
}

func (h *Endpoint) settings() []setting {
	return []setting{
		{"addr", &h.Addr, 0, 0},
		{"metricsAddr", &h.MetricsAddr, 0, 0},
		{"publicUrl", &h.PublicURL, 0, 0},
		{"allowedHosts", &h.Hosts, 0, 0},
		{"allowedOrigins", &h.Origins, 0, 0},
		{"trustedProxies", &h.Proxies, 0, 0},
		{"tlsCert", &h.Cert, 0, 0},
		{"tlsKey", &h.Key, 0, 0},
		{"maxBodyKB", &h.MaxBodyKB, 16, 65536},
		{"maxSessions", &h.MaxSessions, 1, 100_000},
		{"maxSessionsPerPrincipal", &h.MaxSessionsPerPrincipal, 1, 100_000},
		{"sessionTimeoutSeconds", &h.SessionTimeout, 10, 7 * 24 * 3600},
		{"requestsPerSecond", &h.RequestsPerSecond, 1, 1_000_000},
		{"addressRequestsPerSecond", &h.AddressPerSecond, 1, 1_000_000},
		{"maxConcurrentRequests", &h.MaxConcurrent, 1, 10_000},
		{"maxConnections", &h.MaxConnections, 1, 1_000_000},
		{"drainSeconds", &h.Drain, 0, 3600},
	}
}

// readSection reads an object whose keys are all known.
func readSection(where string, raw json.RawMessage, settings []setting) error {
	list, err := members(raw)
	if err != nil {
		return &Error{where, err.Error()}
	}
	var keys []string
	for _, s := range settings {
		keys = append(keys, s.key)
	}
next:
	for _, m := range list {
		for _, s := range settings {
			if s.key == m.key {
				if err := s.read(where+"."+m.key, m.value); err != nil {
					return err
				}
				continue next
			}
		}
		return &Error{where + "." + m.key, "is unknown" + didYouMean(m.key, keys)}
	}
	return nil
}

func (s setting) read(where string, raw json.RawMessage) error {
	switch to := s.to.(type) {
	case *string:
		return read(where, raw, "a string", to)
	case *[]string:
		return read(where, raw, "a list of strings", to)
	case *json.RawMessage:
		*to = raw
	case *int:
		if err := read(where, raw, "a whole number", to); err != nil {
			return err
		}
		return s.inRange(where, *to)
	case *time.Duration:
		var seconds int
		if err := read(where, raw, "a whole number", &seconds); err != nil {
			return err
		}
		*to = time.Duration(seconds) * time.Second
		return s.inRange(where, seconds)
	case *[]netip.Prefix:
		var list []string
		if err := read(where, raw, "a list of strings", &list); err != nil {
			return err
		}
		*to = nil
		for _, text := range list {
			p, err := prefix(text)
			if err != nil {
				return &Error{where, fmt.Sprintf("%q is no address or range, such as 10.0.0.0/8", text)}
			}
			*to = append(*to, p)
		}
	default:
		panic("BUG: a setting of an unknown type")
	}
	return nil
}

func (s setting) inRange(where string, n int) error {
	if n < s.min || n > s.max {
		return &Error{where, fmt.Sprintf("%d is out of range: want %d..%d", n, s.min, s.max)}
	}
	return nil
}

func prefix(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil {
		return a.Prefix(a.BitLen())
	}
	return netip.ParsePrefix(text)
}

// check holds the endpoint's settings together, when there is one.
func (h *Endpoint) check(where func(key, flag string) string) error {
	if (h.Cert == "") != (h.Key == "") {
		return &Error{where("tlsCert", "--tls-cert"), "tlsCert and tlsKey go together: give both or none"}
	}
	if h.PublicURL != "" {
		if u, err := url.Parse(h.PublicURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return &Error{where("publicUrl", "publicUrl"), fmt.Sprintf("%q is not an http or https address, such as https://mcp.example.com/mcp", h.PublicURL)}
		}
	}
	for _, o := range h.Origins {
		if u, err := url.Parse(o); err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" || u.RawQuery != "" {
			return &Error{where("allowedOrigins", "allowedOrigins"), fmt.Sprintf("%q is no origin, such as https://app.example.com", o)}
		}
	}
	for _, n := range h.Hosts {
		if n == "" || strings.ContainsAny(n, "/@ *") {
			return &Error{where("allowedHosts", "allowedHosts"), fmt.Sprintf("%q is no host name, such as mcp.example.com", n)}
		}
	}
	if err := checkAddr(h.Addr); err != nil {
		return &Error{where("addr", "--http"), err.Error()}
	}
	if h.MetricsAddr != "" {
		if _, _, err := net.SplitHostPort(h.MetricsAddr); err != nil {
			return &Error{where("metricsAddr", "--metrics"), fmt.Sprintf("%q is not HOST:PORT, such as 127.0.0.1:9090", h.MetricsAddr)}
		}
	}
	return nil
}

// SystemdAddr is the address of sockets that the service manager opened.
const SystemdAddr = "systemd"

func checkAddr(addr string) error {
	if addr == "" || addr == SystemdAddr {
		return nil
	}
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		if path == "" {
			return fmt.Errorf("%q names no file: want unix:PATH", addr)
		}
		return nil
	}
	if _, port, err := net.SplitHostPort(addr); err != nil || port == "" {
		return fmt.Errorf("%q is not HOST:PORT, unix:PATH or systemd, such as 127.0.0.1:8080", addr)
	}
	return nil
}

// CheckURL reports whether an address is encrypted or stays on this machine.
func CheckURL(text string) error {
	if problem := checkURL(text, false); problem != "" {
		return fmt.Errorf("%s", problem)
	}
	return nil
}
