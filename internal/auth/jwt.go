package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"

	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
)

const (
	// fetchWithin bounds one fetch of keys.
	fetchWithin = 10 * time.Second
	// maxKeys bounds what a key server may answer, in bytes.
	maxKeys = 1 << 20
	// refreshEvery is how often keys are fetched again. A key that is not known is
	// fetched at once, but seldom more than once in unknownEvery: forged tokens must not make
	// us hammer the key server.
	refreshEvery = 15 * time.Minute
	unknownEvery = 10 * time.Second
	unknownBurst = 5
	// retryAfter is how long a failed search for the keys' address counts.
	retryAfter = 10 * time.Second
	// maxSubject bounds a principal's name, in bytes.
	maxSubject = 256
	// jwtPrefix keeps the names of the issuer apart from those of static tokens.
	jwtPrefix = "jwt:"
)

// jwtVerifier checks the tokens of one issuer. Keys are fetched when the first
// token comes: the issuer need not be up before us.
type jwtVerifier struct {
	cfg    config.JWT
	parser *jwt.Parser
	client *http.Client
	log    func(string, error)
	life   context.Context
	close  func()

	mu      sync.Mutex
	keys    keyfunc.Keyfunc // guarded by mu: nil until the keys' address is known
	tryNext time.Time       // guarded by mu: after a failed discovery
}

func newJWT(cfg config.JWT, log func(string, error)) *jwtVerifier {
	base := http.DefaultTransport.(*http.Transport).Clone()
	v := &jwtVerifier{cfg: cfg, log: log, client: &http.Client{Timeout: fetchWithin, Transport: &boundedBody{base},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	var cancel context.CancelFunc
	v.life, cancel = context.WithCancel(context.Background())
	v.close = func() {
		cancel()
		base.CloseIdleConnections()
	}
	v.parser = jwt.NewParser(
		jwt.WithValidMethods(cfg.Algorithms), // never none, never a shared secret: the config has checked it
		jwt.WithIssuer(cfg.Issuer),
		jwt.WithAudience(cfg.Audience),
		jwt.WithExpirationRequired(),
		jwt.WithLeeway(cfg.ClockSkew),
	)
	return v
}

// boundedBody cuts answers that are too large for keys.
type boundedBody struct{ base http.RoundTripper }

func (b *boundedBody) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.base.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, maxKeys), res.Body}
	}
	return res, err
}

func (v *jwtVerifier) verify(ctx context.Context, token string) (Identity, error) {
	keys, err := v.keySet()
	if err != nil {
		return Identity{}, &Error{Status: http.StatusServiceUnavailable, Text: "tokens can't be checked now", Reason: err.Error()}
	}
	claims := jwt.MapClaims{}
	parsed, err := v.parser.ParseWithClaims(token, claims, keys.KeyfuncCtx(ctx))
	if err != nil {
		return Identity{}, invalid(reasonOf(err))
	}
	if _, ok := parsed.Header["crit"]; ok { // RFC 7515: what is not understood must be refused
		return Identity{}, invalid("the header names critical extensions")
	}
	if t, _ := parsed.Header["typ"].(string); t != "" && !slices.Contains([]string{"jwt", "at+jwt", "application/at+jwt"}, strings.ToLower(t)) {
		return Identity{}, invalid("the type is none of an access token")
	}
	subject, _ := claims[v.cfg.PrincipalClaim].(string)
	if subject == "" || len(subject) > maxSubject || strings.ContainsFunc(subject, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return Identity{}, invalid("the claim " + v.cfg.PrincipalClaim + " names nobody")
	}
	role, ok := v.role(claims)
	if !ok {
		return Identity{}, &Error{Status: http.StatusForbidden, Code: "insufficient_scope", Text: "the token gives no role here",
			Scope: strings.Join(v.cfg.RoleValues(), " "), Reason: "the claim " + v.cfg.RoleClaim + " gives no role"}
	}
	id := Identity{Principal: policy.Principal{ID: jwtPrefix + subject, Role: role}, Token: token}
	if exp, err := claims.GetExpirationTime(); err == nil && exp != nil {
		id.Expires = exp.Time
	}
	return id, nil
}

// reasonOf names what is wrong with a token without any of its values.
func reasonOf(err error) string {
	for _, known := range []error{jwt.ErrTokenMalformed, jwt.ErrTokenSignatureInvalid, jwt.ErrTokenExpired, jwt.ErrTokenNotValidYet,
		jwt.ErrTokenInvalidAudience, jwt.ErrTokenInvalidIssuer, jwt.ErrTokenRequiredClaimMissing, jwt.ErrTokenUnverifiable} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "the token can't be checked"
}

// role is the highest that the claim gives.
func (v *jwtVerifier) role(claims jwt.MapClaims) (policy.Role, bool) {
	best, found := policy.Viewer, false
	if v.cfg.DefaultRole != nil {
		best, found = *v.cfg.DefaultRole, true
	}
	for _, value := range values(claims, v.cfg.RoleClaim) {
		if role, ok := v.cfg.Roles[value]; ok && (!found || role > best) {
			best, found = role, true
		}
	}
	return best, found
}

// values reads a claim by its name or its path: a list of strings, or one string
// with words in it, as scope is.
func values(claims map[string]any, path string) []string {
	claim, ok := claims[path]
	if !ok {
		var at any = claims
		for _, part := range strings.Split(path, ".") {
			object, isObject := at.(map[string]any)
			if !isObject {
				return nil
			}
			at = object[part]
		}
		claim = at
	}
	switch claim := claim.(type) {
	case string:
		return strings.Fields(claim)
	case []any:
		var out []string
		for _, v := range claim {
			if s, ok := v.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// keySet gives the issuer's keys. They are looked for when they are first needed.
func (v *jwtVerifier) keySet() (keyfunc.Keyfunc, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.keys != nil {
		return v.keys, nil
	}
	if time.Now().Before(v.tryNext) {
		return nil, errors.New("the issuer's keys could not be found")
	}
	address := v.cfg.JWKS
	if address == "" {
		var err error
		if address, err = v.discover(); err != nil {
			v.tryNext = time.Now().Add(retryAfter)
			v.log("the issuer's keys could not be found", err)
			return nil, err
		}
	}
	keys, err := keyfunc.NewDefaultOverrideCtx(v.life, []string{address}, keyfunc.Override{
		Client:            v.client,
		HTTPTimeout:       fetchWithin,
		RefreshInterval:   refreshEvery,
		RefreshUnknownKID: rate.NewLimiter(rate.Every(unknownEvery), unknownBurst),
		RateLimitWaitMax:  fetchWithin, // it bounds the fetch as well
		RefreshErrorHandlerFunc: func(string) func(context.Context, error) {
			return func(_ context.Context, err error) { v.log("the issuer's keys could not be fetched", err) }
		},
	})
	if err != nil {
		return nil, err
	}
	v.keys = keys
	return keys, nil
}

// discover asks the issuer where its keys are (RFC 8414, OpenID Connect).
func (v *jwtVerifier) discover() (string, error) {
	base := strings.TrimSuffix(v.cfg.Issuer, "/")
	u, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	inserted := *u
	inserted.Path = "/.well-known/oauth-authorization-server" + u.Path
	for _, address := range []string{base + "/.well-known/openid-configuration", inserted.String()} {
		var found struct {
			Issuer string `json:"issuer"`
			JWKS   string `json:"jwks_uri"`
		}
		if err = v.get(address, &found); err != nil {
			continue
		}
		if found.Issuer != v.cfg.Issuer {
			err = fmt.Errorf("%s is the metadata of another issuer", address)
			continue
		}
		if err = config.CheckURL(found.JWKS); err != nil {
			continue
		}
		return found.JWKS, nil
	}
	return "", err
}

func (v *jwtVerifier) get(address string, out any) error {
	ctx, cancel := context.WithTimeout(v.life, fetchWithin)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	res, err := v.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", address, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(out)
}
