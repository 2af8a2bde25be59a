// Package authfake is an MCP server over HTTP that wants a login, and the
// authorization server that gives it: enough of OAuth 2.1 to tell a right client from
// a wrong one. It checks PKCE, redirect addresses, resources, secrets, and that a
// refresh token is used once.
package authfake

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server plays both. Its fields are set under Do.
type Server struct {
	*httptest.Server

	mu sync.Mutex
	// Lifetime is how long tokens last, in seconds.
	Lifetime int
	// Iss, State and Deny replace what a browser brings back, when not empty.
	Iss, State, Deny string
	// Down makes the token endpoint fail.
	Down bool
	// NoMetadata hides that there is an authorization server.
	NoMetadata bool
	// Secret is that of the registered client "ours", when not empty.
	Secret string
	// Renewals and Codes count tokens that were given.
	Renewals, Codes, Credentials int
	// Wrong are the mistakes of clients.
	Wrong []string

	clients map[string]string // id -> redirect address
	codes   map[string]code
	access  map[string]token
	refresh map[string]token
	used    map[string]bool
}

type code struct{ client, redirect, challenge, scope, resource string }

type token struct {
	client, scope string
	ends          time.Time
}

// New starts it.
func New() *Server {
	s := &Server{Lifetime: 3600, clients: map[string]string{}, codes: map[string]code{}, access: map[string]token{}, refresh: map[string]token{}, used: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", s.mcp)
	mux.HandleFunc("GET /.well-known/oauth-protected-resource/mcp", s.resource)
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", s.metadata)
	mux.HandleFunc("POST /register", s.register)
	mux.HandleFunc("GET /authorize", s.authorize)
	mux.HandleFunc("POST /token", s.token)
	s.Server = httptest.NewServer(mux)
	return s
}

// Do changes or reads the fields.
func (s *Server) Do(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Expire ends all access tokens now; Revoke ends the refresh tokens too.
func (s *Server) Expire() { s.Do(func() { clear(s.access) }) }
func (s *Server) Revoke() { s.Do(func() { clear(s.access); clear(s.refresh) }) }

func (s *Server) wrong(format string, args ...any) {
	s.Wrong = append(s.Wrong, fmt.Sprintf(format, args...))
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func (s *Server) resource(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.NoMetadata {
		http.NotFound(w, nil)
		return
	}
	reply(w, 200, map[string]any{"resource": s.URL + "/mcp", "authorization_servers": []string{s.URL}, "scopes_supported": []string{"read"}})
}

func (s *Server) metadata(w http.ResponseWriter, _ *http.Request) {
	reply(w, 200, map[string]any{"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token",
		"registration_endpoint": s.URL + "/register", "response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
		"authorization_response_iss_parameter_supported": true, "scopes_supported": []string{"read", "write", "offline_access"},
		"token_endpoint_auth_methods_supported": []string{"none", "client_secret_post"}})
}

func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var in struct {
		RedirectURIs []string `json:"redirect_uris"`
	}
	if json.NewDecoder(r.Body).Decode(&in) != nil || len(in.RedirectURIs) != 1 {
		s.wrong("registration without one redirect address")
		reply(w, 400, map[string]string{"error": "invalid_redirect_uri"})
		return
	}
	id := "client-" + rand.Text()
	s.clients[id] = in.RedirectURIs[0]
	reply(w, 201, map[string]any{"client_id": id, "redirect_uris": in.RedirectURIs, "token_endpoint_auth_method": "none"})
}

// authorize is the page in the browser, where the person says yes at once.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.URL.Query()
	id, back := q.Get("client_id"), q.Get("redirect_uri")
	known, ok := s.clients[id]
	if id == "ours" {
		known, ok = back, true
	}
	if !ok || known != back || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" ||
		q.Get("state") == "" || q.Get("resource") != s.URL+"/mcp" {
		s.wrong("authorize: %s", r.URL.RawQuery)
		http.Error(w, "bad request", 400)
		return
	}
	out := url.Values{"state": {q.Get("state")}, "iss": {s.URL}}
	if s.Deny != "" {
		out.Set("error", s.Deny)
	} else {
		c := rand.Text()
		s.codes[c] = code{id, back, q.Get("code_challenge"), q.Get("scope"), q.Get("resource")}
		out.Set("code", c)
	}
	if s.Iss != "" {
		out.Set("iss", s.Iss)
	}
	if s.State != "" {
		out.Set("state", s.State)
	}
	http.Redirect(w, r, back+"?"+out.Encode(), http.StatusFound)
}

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Down {
		http.Error(w, "try later", http.StatusServiceUnavailable)
		return
	}
	refuse := func(kind, format string, args ...any) {
		s.wrong(format, args...)
		reply(w, 400, map[string]string{"error": kind, "error_description": "a long story with " + r.PostFormValue("refresh_token")})
	}
	if got := r.PostFormValue("resource"); got != s.URL+"/mcp" {
		refuse("invalid_target", "token: resource %q", got)
		return
	}
	client := r.PostFormValue("client_id")
	if client == "ours" && r.PostFormValue("client_secret") != s.Secret {
		refuse("invalid_client", "token: a wrong secret")
		return
	}
	switch r.PostFormValue("grant_type") {
	case "authorization_code":
		c, ok := s.codes[r.PostFormValue("code")]
		delete(s.codes, r.PostFormValue("code"))
		sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
		if !ok || c.client != client || c.redirect != r.PostFormValue("redirect_uri") || c.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			refuse("invalid_grant", "token: wrong code, client, redirect address or verifier")
			return
		}
		s.Codes++
		s.give(w, client, c.scope, true)
	case "refresh_token":
		old := r.PostFormValue("refresh_token")
		t, ok := s.refresh[old]
		if s.used[old] { // stolen, for all one knows
			clear(s.refresh)
			clear(s.access)
			s.wrong("token: a refresh token was used twice")
		}
		if !ok || t.client != client {
			refuse("invalid_grant", "token: unknown refresh token")
			return
		}
		delete(s.refresh, old)
		s.used[old] = true
		s.Renewals++
		s.give(w, client, t.scope, true)
	case "client_credentials":
		if s.Secret == "" || client != "ours" {
			refuse("unauthorized_client", "token: credentials of %s", client)
			return
		}
		s.Credentials++
		s.give(w, client, r.PostFormValue("scope"), false)
	default:
		refuse("unsupported_grant_type", "token: grant %q", r.PostFormValue("grant_type"))
	}
}

func (s *Server) give(w http.ResponseWriter, client, scope string, refresh bool) {
	out := map[string]any{"access_token": "access-" + rand.Text(), "token_type": "Bearer", "expires_in": s.Lifetime, "scope": scope}
	s.access[out["access_token"].(string)] = token{client, scope, time.Now().Add(time.Duration(s.Lifetime) * time.Second)}
	if refresh {
		text := "refresh-" + rand.Text()
		out["refresh_token"] = text
		s.refresh[text] = token{client: client, scope: scope}
	}
	reply(w, 200, out)
}

// mcp is the server proper: the tool read wants the scope read, write wants write.
func (s *Server) mcp(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bearer := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	t, ok := s.access[bearer]
	if !ok || time.Now().After(t.ends) {
		challenge := fmt.Sprintf(`Bearer resource_metadata="%s/.well-known/oauth-protected-resource/mcp"`, s.URL)
		if s.NoMetadata {
			challenge = "Bearer"
		}
		w.Header().Set("WWW-Authenticate", challenge)
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name string `json:"name"`
		} `json:"params"`
	}
	if json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := func(result string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}
	switch m.Method {
	case "initialize":
		answer(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"authfake","version":"1"}}`)
	case "tools/list":
		answer(`{"tools":[{"name":"read","inputSchema":{"type":"object"}},{"name":"write","inputSchema":{"type":"object"}},{"name":"leak","inputSchema":{"type":"object"}}]}`)
	case "tools/call":
		switch {
		case m.Params.Name == "leak":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no luck with %s"}}`, m.ID, bearer)
		case !slices.Contains(strings.Fields(t.scope), m.Params.Name):
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope="%s", resource_metadata="%s/.well-known/oauth-protected-resource/mcp"`, m.Params.Name, s.URL))
			http.Error(w, "not yours", http.StatusForbidden)
		default:
			answer(`{"content":[{"type":"text","text":"` + m.Params.Name + ` done"}]}`)
		}
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
	}
}
