package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// credentials logs in with our own secret. Its tokens are kept in memory only: there
// is always another one.
//
// The SDK has such a handler; it binds the renewal to the context of one request,
// sends no resource (RFC 8707) and takes no scopes from the configuration.
type credentials struct {
	p      *peer
	client *http.Client

	mu     sync.Mutex
	token  *oauth2.Token // guarded by mu
	scopes []string      // guarded by mu: what was asked for so far
}

var _ auth.OAuthHandler = (*credentials)(nil)

// TokenSource gives the token while it is good.
func (c *credentials) TokenSource(context.Context) (oauth2.TokenSource, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.token.Valid() {
		return nil, nil // the server's refusal says where to get one
	}
	return oauth2.StaticTokenSource(c.token), nil
}

// Authorize gets a token after the server refused a request.
func (c *credentials) Authorize(ctx context.Context, req *http.Request, res *http.Response) error {
	defer res.Body.Close()
	challenges, err := oauthex.ParseWWWAuthenticate(res.Header.Values("WWW-Authenticate"))
	if err != nil {
		challenges = nil // a header that can't be read says nothing
	}
	if res.StatusCode == http.StatusForbidden && challenge(challenges, "error") != "insufficient_scope" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, renewTimeout)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	if used := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer "); res.StatusCode == http.StatusUnauthorized && c.token.Valid() && c.token.AccessToken != used {
		return nil // another request has got one meanwhile
	}
	issuer, resource, scopes, err := discover(ctx, challenges, req.URL, c.client)
	if err != nil {
		return err
	}
	meta, err := auth.GetAuthServerMetadata(ctx, issuer, c.client)
	if err != nil {
		return fmt.Errorf("ask the authorization server: %w", err)
	}
	if meta == nil { // 2025-03-26: fixed places
		meta = &oauthex.AuthServerMeta{TokenEndpoint: issuer + "/token"}
	}
	own := c.p.cfg.OAuth
	if own.Scopes != nil {
		scopes = own.Scopes
	}
	c.scopes = union(c.scopes, scopes, strings.Fields(challenge(challenges, "scope")))
	cfg := clientcredentials.Config{ClientID: own.ClientID, ClientSecret: own.ClientSecret, TokenURL: meta.TokenEndpoint,
		Scopes: c.scopes, EndpointParams: url.Values{"resource": {resource}}, AuthStyle: authStyle(meta.TokenEndpointAuthMethodsSupported)}
	token, err := cfg.Token(context.WithValue(ctx, oauth2.HTTPClient, c.client))
	if err != nil {
		return fmt.Errorf("log in with the client's own credentials: %w", short(err))
	}
	c.p.hideAlso(token.AccessToken)
	c.token = token
	return nil
}

// short leaves out of an authorization server's refusal all but its code: the body
// is as long as it likes.
func short(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return fmt.Errorf("the authorization server refused (%s)", clean(clip(refused.ErrorCode, 100)))
	}
	return err
}

// discover finds who gives tokens for a server, by its metadata (RFC 9728) where
// they are, else the server itself (2025-03-26).
func discover(ctx context.Context, challenges []oauthex.Challenge, server *url.URL, client *http.Client) (issuer, resource string, scopes []string, err error) {
	at, root := *server, *server
	at.RawQuery, at.Fragment = "", ""
	at.Path = "/.well-known/oauth-protected-resource/" + strings.TrimLeft(server.Path, "/")
	root.Path, root.RawQuery, root.Fragment = "", "", ""
	places := [][2]string{{at.String(), server.String()}, {root.String() + "/.well-known/oauth-protected-resource", root.String()}}
	if given := challenge(challenges, "resource_metadata"); given != "" {
		places = append([][2]string{{given, server.String()}}, places...)
	}
	for _, place := range places {
		meta, err := oauthex.GetProtectedResourceMetadata(ctx, place[0], place[1], client)
		if err != nil || meta == nil {
			continue
		}
		if len(meta.AuthorizationServers) == 0 {
			return "", "", nil, errors.New("the server names no authorization server")
		}
		return meta.AuthorizationServers[0], meta.Resource, meta.ScopesSupported, nil
	}
	return root.String(), server.String(), nil, nil
}

func authStyle(methods []string) oauth2.AuthStyle {
	for _, m := range methods {
		switch m {
		case "client_secret_post":
			return oauth2.AuthStyleInParams
		case "client_secret_basic":
			return oauth2.AuthStyleInHeader
		}
	}
	return oauth2.AuthStyleAutoDetect
}
