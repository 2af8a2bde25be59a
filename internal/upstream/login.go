package upstream

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"codemode-mcp/internal/config"
	"codemode-mcp/internal/tokens"
)

// LoginOptions say how a person is asked.
type LoginOptions struct {
	// Server is the entry to log in to.
	Server config.Server
	// Tokens keeps what comes of it.
	Tokens *tokens.Store
	// Show is given the address that the person must open in a browser.
	Show func(address string)
	// Version is our own, told to the server.
	Version string
}

// Login has a person log in to a server with a browser, and keeps the token: the
// authorization code grant with PKCE, the browser coming back to a port of this
// machine. It ends when ctx does.
func Login(ctx context.Context, o LoginOptions) error {
	err := logIn(ctx, o)
	if err == nil {
		return nil
	}
	return errors.New(newPeer(New(Options{}), o.Server).redact(err.Error())) // it may quote addresses and answers
}

func logIn(ctx context.Context, o LoginOptions) error {
	s := &o.Server
	endpoint, err := url.Parse(s.URL)
	if err != nil {
		return errors.New("the url can't be read") // not quoted: it may hold a secret
	}
	client := newOAuthClient(endpoint, s.Insecure)
	port, host := 0, "127.0.0.1"
	own := s.OAuth
	if own == nil {
		own = &config.OAuth{}
	}
	if own.CallbackPort != 0 { // registered with the operator as other clients have it
		port, host = own.CallbackPort, "localhost"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("listen for the browser: %w", err)
	}
	defer listener.Close()
	back := fmt.Sprintf("http://%s:%d/callback", host, listener.Addr().(*net.TCPAddr).Port)

	key := tokens.Key(s.URL, s.Digest)
	before, _, err := o.Tokens.Get(key)
	if err != nil {
		return err
	}
	var resource string // what the authorization was asked for
	cfg := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL:           back,
		RequestRefreshToken:   true,
		AcceptUnadvertisedIss: true,
		Client:                client,
		ScopeFilter: func(found []string) []string {
			if own.Scopes != nil {
				found = own.Scopes
			}
			return union(found, before.Wanted)
		},
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			address, err := url.Parse(args.URL)
			if err != nil || address.Scheme != "https" && !(isLoopback(address.Hostname()) && isLoopback(endpoint.Hostname())) && !s.Insecure {
				return nil, errors.New("the server names a page for the login that is not https")
			}
			resource = address.Query().Get("resource")
			return awaitBrowser(ctx, listener, address, o.Show)
		},
		NewTokenSource: func(ctx context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			e := &tokens.Entry{URL: s.URL, ClientID: c.ClientID, ClientSecret: c.ClientSecret, TokenURL: c.Endpoint.TokenURL,
				AuthStyle: int(c.Endpoint.AuthStyle), Resource: resource, Scopes: c.Scopes}
			setToken(e, t)
			return oauth2.StaticTokenSource(t), o.Tokens.Update(ctx, key, func(*tokens.Entry) (*tokens.Entry, error) { return e, nil })
		},
	}
	if own.ClientID != "" {
		cfg.PreregisteredClient = &oauthex.ClientCredentials{ClientID: own.ClientID}
		if own.ClientSecret != "" {
			cfg.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: own.ClientSecret}
		}
	} else {
		cfg.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			RedirectURIs: []string{back}, ClientName: "codemode-mcp", SoftwareVersion: o.Version,
			GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, TokenEndpointAuthMethod: "none"}}
	}
	handler, err := auth.NewAuthorizationCodeHandler(cfg)
	if err != nil {
		return fmt.Errorf("prepare the login: %w", err)
	}
	req, res, err := refusal(ctx, s, client)
	if err != nil {
		return err
	}
	err = tidy(handler.Authorize(ctx, req, res))
	if err != nil && strings.Contains(err.Error(), "no configured client registration methods") {
		return errors.New("the authorization server registers no clients by itself: register one there by hand, and give its id as oauth.clientId of the entry (with oauth.callbackPort, where the address to come back to must be fixed)")
	}
	return err
}

// refusal asks the server for something without a token, and gives its answer: a
// refusal says where to log in. A server that does not refuse is taken to have done
// so without a word: many let anybody list and nobody call.
func refusal(ctx context.Context, s *config.Server, client *http.Client) (*http.Request, *http.Response, error) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modernRevision + `","io.modelcontextprotocol/clientInfo":{"name":"codemode-mcp","version":"login"},"io.modelcontextprotocol/clientCapabilities":{}}`
	// Servers of the newest revision refuse initialize before they ask for a token.
	req, res, err := asked(ctx, s, client, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`,
		map[string]string{"Mcp-Protocol-Version": modernRevision, "Mcp-Method": "server/discover"})
	if err == nil && res.StatusCode == http.StatusUnauthorized {
		return req, res, nil
	}
	if err == nil {
		res.Body.Close()
	}
	return refusedInitialize(ctx, s, client)
}

func refusedInitialize(ctx context.Context, s *config.Server, client *http.Client) (*http.Request, *http.Response, error) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + legacyRevision +
		`","capabilities":{},"clientInfo":{"name":"codemode-mcp","version":"login"}}}`
	req, res, err := asked(ctx, s, client, hello, nil)
	if err != nil {
		return nil, nil, err
	}
	if res.StatusCode == http.StatusUnauthorized {
		return req, res, nil
	}
	res.Body.Close()
	if id := res.Header.Get("Mcp-Session-Id"); id != "" { // leave nothing open
		if end, err := http.NewRequestWithContext(ctx, http.MethodDelete, s.URL, nil); err == nil {
			end.Header = req.Header.Clone()
			end.Header.Set("Mcp-Session-Id", id)
			if gone, err := asker(client).Do(end); err == nil {
				gone.Body.Close()
			}
		}
	}
	return req, &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
}

// tidy makes an error of a login one line without the bodies of others.
func tidy(err error) error {
	if err == nil {
		return nil
	}
	var own *browserError
	if errors.As(err, &own) {
		return own
	}
	return errors.New(clip(clean(short(err).Error()), 500))
}

// browserError is what came back by the browser, or did not.
type browserError struct{ text string }

func (e *browserError) Error() string { return e.text }

// awaitBrowser shows the address and waits until the browser comes back with the
// answer to it. What comes with another state is not the answer: any page of any
// site can send a browser here.
func awaitBrowser(ctx context.Context, listener net.Listener, address *url.URL, show func(string)) (*auth.AuthorizationResult, error) {
	want := address.Query().Get("state")
	answers := make(chan url.Values, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		q := r.URL.Query()
		if subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(want)) != 1 {
			http.Error(w, "This is not the login that codemode-mcp is waiting for.", http.StatusBadRequest)
			return
		}
		select {
		case answers <- q:
			io.WriteString(w, "codemode-mcp has the answer. You can close this window; the terminal says how it went.\n")
		default:
			http.Error(w, "The answer has come already.", http.StatusConflict)
		}
	})
	srv := &http.Server{Handler: mux, ReadTimeout: oauthTimeout, WriteTimeout: oauthTimeout, MaxHeaderBytes: maxHeaderBytes}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = srv.Serve(listener) // it ends with Shutdown or Close
	}()
	defer func() {
		end, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		if srv.Shutdown(end) != nil { // the last page goes out first
			srv.Close()
		}
		<-served
	}()
	show(address.String())
	select {
	case q := <-answers:
		if refused := q.Get("error"); refused != "" {
			return nil, &browserError{"the login was refused: " + clean(clip(strings.TrimSpace(refused+" "+q.Get("error_description")), 300))}
		}
		if q.Get("code") == "" {
			return nil, &browserError{"the browser came back without a code"}
		}
		return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, &browserError{"nobody logged in in time"}
		}
		return nil, &browserError{"the login was given up"}
	}
}

// Try connects once with what is kept, and says how many tools there are.
func Try(ctx context.Context, s config.Server, store *tokens.Store, version string) (tools int, err error) {
	m := New(Options{Servers: []config.Server{s}, Tokens: store, Version: version})
	m.Open()
	defer m.Close()
	if err := m.Settled(ctx); err != nil {
		return 0, err
	}
	status := m.Status()[0]
	if status.State != stateReady {
		return 0, errors.New(status.Reason)
	}
	return status.Tools, nil
}

// pollLogin is how often a server that needs a login looks whether there is one.
const pollLogin = time.Second

// asker is the client for the server's own address, which is the user's own.
func asker(client *http.Client) *http.Client {
	asking := *client
	asking.Transport = careful{client.Transport.(careful).base, true}
	return &asking
}

// asked sends one request without a token.
func asked(ctx context.Context, s *config.Server, client *http.Client, body string, headers map[string]string) (*http.Request, *http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader(body))
	if err != nil {
		return nil, nil, errors.New("the url can't be read")
	}
	for name, value := range s.Headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	res, err := asker(client).Do(req)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // without the address: it may hold a secret
		}
		return nil, nil, fmt.Errorf("ask the server: %w", err)
	}
	return req, res, nil
}
