package httpd

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"codemode-mcp/internal/config"
)

// names decides which hosts and origins are served, and whose address a request
// comes from.
type names struct {
	hosts   []string // lower case, without ports
	any     bool     // every name is served: nobody said which
	origins []string
	proxies []netip.Prefix
	public  string // the origin that clients know, or empty
}

func newNames(cfg config.Endpoint) names {
	n := names{hosts: []string{"localhost"}, origins: cfg.Origins, proxies: cfg.Proxies}
	for _, h := range cfg.Hosts {
		n.hosts = append(n.hosts, hostOnly(h))
	}
	if u, err := url.Parse(cfg.PublicURL); err == nil && u.Host != "" {
		n.public = u.Scheme + "://" + u.Host
		n.hosts = append(n.hosts, hostOnly(u.Host))
	}
	if host, _, err := net.SplitHostPort(cfg.Addr); err == nil && host != "" {
		n.hosts = append(n.hosts, hostOnly(host))
	}
	// Only the proxy in front reaches a Unix socket, and it may name the host as it
	// likes.
	n.any = strings.HasPrefix(cfg.Addr, "unix:") && len(cfg.Hosts) == 0 && cfg.PublicURL == ""
	return n
}

func hostOnly(hostport string) string {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// host reports whether the Host header is one of ours. A page whose name was
// rebound to our address has a name that is not; an address in figures can't be
// rebound, but on the loopback only the loopback's own are taken.
func (n *names) host(r *http.Request) bool {
	host := hostOnly(r.Host)
	if n.any || slices.Contains(n.hosts, host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return ip.IsLoopback()
	}
	at, err := netip.ParseAddrPort(local.String())
	if err != nil { // a Unix socket
		return ip.IsLoopback()
	}
	return !at.Addr().Unmap().IsLoopback() || ip.IsLoopback()
}

// origin is the origin that clients use, for what we tell them of ourselves.
func (n *names) origin(r *http.Request) string {
	if n.public != "" {
		return n.public
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host // it was checked, or came through the proxy at our Unix socket
}

// allowed says whether a page of an origin may use the endpoint, and whether it
// needs CORS for it.
func (n *names) allowed(r *http.Request, origin string) (ok, cors bool) {
	if slices.Contains(n.origins, origin) {
		return true, true
	}
	// Compared whole: an origin is a scheme, a host and a port and nothing else (RFC 6454,
	// section 6.2), or "null".
	return strings.EqualFold(origin, n.origin(r)), false
}

// origin checks where a browser's request comes from, and answers preflights. A
// request without an Origin is no browser's.
func (s *Server) origin(r *request) bool {
	origins := r.Header.Values("Origin")
	r.w.Header().Add("Vary", "Origin")
	if len(origins) == 0 {
		if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
			s.refuse(r, http.StatusForbidden, "requests from other sites are not taken", "cross-site")
			return false
		}
		return true
	}
	ok, cors := s.names.allowed(r.Request, origins[0])
	if len(origins) > 1 || !ok {
		s.refuse(r, http.StatusForbidden, "this origin is not allowed", "origin "+clip(strings.Join(origins, " "), 100))
		return false
	}
	if !cors {
		return true
	}
	h := r.w.Header()
	h.Set("Access-Control-Allow-Origin", origins[0])
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, Retry-After")
	if r.Method != http.MethodOptions {
		return true
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", strings.Join(corsHeaders(r.Header.Get("Access-Control-Request-Headers")), ", "))
	h.Set("Access-Control-Max-Age", "600")
	r.w.WriteHeader(http.StatusNoContent)
	return false
}

// ownHeaders are those that an MCP client sends.
var ownHeaders = []string{"authorization", "content-type", "accept", "last-event-id", "mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name"}

const maxParamHeaders = 32

// corsHeaders are those that a page may send: ours, and the parameters that it
// asks for.
func corsHeaders(asked string) []string {
	out := slices.Clone(ownHeaders)
	for _, h := range strings.Split(asked, ",") {
		h = strings.ToLower(strings.TrimSpace(h))
		name, ok := strings.CutPrefix(h, "mcp-param-")
		if ok && len(out) < len(ownHeaders)+maxParamHeaders && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
		}) {
			out = append(out, h)
		}
	}
	return out
}

// address is who the request comes from, as far as it can be known: the other
// end, or what a proxy that we trust says of it.
func (n *names) address(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	trusted := err != nil // a Unix socket: the proxy in front of it
	addr := peer.Addr().Unmap()
	if !trusted {
		trusted = n.proxy(addr)
	}
	if !trusted {
		return family(addr)
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		a, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		if addr = a.Unmap(); !n.proxy(addr) {
			break
		}
	}
	if !addr.IsValid() {
		return "unix"
	}
	return family(addr)
}

func (n *names) proxy(a netip.Addr) bool {
	return slices.ContainsFunc(n.proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// family is an address as limits see it: a customer of IPv6 has 2^64 of them.
func family(a netip.Addr) string {
	if a.Is6() {
		if p, err := a.WithZone("").Prefix(64); err == nil && !a.IsLoopback() {
			return p.String()
		}
	}
	return a.WithZone("").String()
}

// metadataPath is where RFC 9728 has the metadata of a protected resource.
const metadataPath = "/.well-known/oauth-protected-resource"

// serveMetadata says how to come by a token (RFC 9728). It is public.
func (s *Server) serveMetadata(r *request) {
	if !s.names.host(r.Request) {
		s.refuse(r, http.StatusForbidden, "this host name is not served", "host "+clip(r.Host, 100))
		return
	}
	r.w.Header().Set("Access-Control-Allow-Origin", "*") // as RFC 9728 wants it
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		r.w.Header().Set("Allow", "GET, HEAD")
		s.refuse(r, http.StatusMethodNotAllowed, "the method is not allowed", "method")
		return
	}
	answer := map[string]any{
		"resource":                 s.names.origin(r.Request) + Path,
		"resource_name":            "codemode-mcp",
		"bearer_methods_supported": []string{"header"},
	}
	issuer, scopes := s.opts.Auth.Metadata()
	if issuer != "" {
		answer["authorization_servers"] = []string{issuer}
	}
	if len(scopes) > 0 {
		answer["scopes_supported"] = scopes
	}
	r.w.Header().Set("Content-Type", "application/json")
	r.w.Header().Set("Cache-Control", "max-age=600")
	_ = json.NewEncoder(r.w).Encode(answer) // a client that is gone needs no answer
}
