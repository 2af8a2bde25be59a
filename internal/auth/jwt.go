package auth

import (
	"cmp"
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
	"unicode"
	"unicode/utf8"

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
	// unknownWithin bounds the wait for that and the fetch: the token may be forged,
	// and its request holds a place.
	unknownWithin = 3 * time.Second
	// RetryAfter is how long a failed search for the keys counts.
	RetryAfter = 10 * time.Second
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
	wg     sync.WaitGroup // of look

	mu      sync.Mutex
	keys    keyfunc.Keyfunc // guarded by mu: nil until keys were fetched
	looking chan struct{}   // guarded by mu: closed when the search under way has ended
	failed  error           // guarded by mu: of the last search
	tryNext time.Time       // guarded by mu: after a failed one
}

func newJWT(cfg config.JWT, log func(string, error)) *jwtVerifier {
	base := http.DefaultTransport.(*http.Transport).Clone()
	v := &jwtVerifier{cfg: cfg, log: log, client: &http.Client{Timeout: fetchWithin, Transport: &boundedBody{base},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	var cancel context.CancelFunc
	v.life, cancel = context.WithCancel(context.Background())
	v.close = func() {
		v.mu.Lock()
		cancel()
		v.mu.Unlock()
		v.wg.Wait()
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
	keys, err := v.keySet(ctx)
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
	if subject == "" || len(subject) > maxSubject || !utf8.ValidString(subject) || strings.ContainsFunc(subject, func(r rune) bool { return !unicode.IsPrint(r) }) {
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

// keySet gives the issuer's keys. They are looked for when they are first needed, once
// for all who wait, and a failure counts for a while.
func (v *jwtVerifier) keySet(ctx context.Context) (keyfunc.Keyfunc, error) {
	v.mu.Lock()
	if v.keys != nil || v.looking == nil && time.Now().Before(v.tryNext) || v.life.Err() != nil {
		defer v.mu.Unlock()
		return v.foundLocked()
	}
	if v.looking == nil {
		v.looking = make(chan struct{})
		v.wg.Add(1)
		go v.look(v.looking)
	}
	looking := v.looking
	v.mu.Unlock()
	select {
	case <-looking:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.foundLocked()
}

func (v *jwtVerifier) foundLocked() (keyfunc.Keyfunc, error) {
	if v.keys == nil {
		return nil, cmp.Or(v.failed, v.life.Err(), errors.New("the issuer's keys are not known"))
	}
	return v.keys, nil
}

// look looks for the keys. It ends with life.
func (v *jwtVerifier) look(done chan struct{}) {
	defer v.wg.Done()
	keys, err := v.fetch()
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil {
		v.keys, v.failed = keys, nil
	} else {
		v.failed, v.tryNext = err, time.Now().Add(RetryAfter)
	}
	v.looking = nil
	close(done)
}

// fetch finds the address of the keys and reads them. Without them nothing can be
// checked, so that is an error too.
func (v *jwtVerifier) fetch() (keyfunc.Keyfunc, error) {
	address := v.cfg.JWKS
	if address == "" {
		var err error
		if address, err = v.discover(); err != nil {
			return nil, err
		}
	}
	lenient := false
	life, cancel := context.WithCancel(v.life) // what keeps them fresh begins before the first fetch has failed
	keys, err := keyfunc.NewDefaultOverrideCtx(life, []string{address}, keyfunc.Override{
		Client:                    v.client,
		HTTPTimeout:               fetchWithin,
		NoErrorReturnFirstHTTPReq: &lenient,
		RefreshInterval:           refreshEvery,
		RefreshUnknownKID:         rate.NewLimiter(rate.Every(unknownEvery), unknownBurst),
		RateLimitWaitMax:          unknownWithin,
		RefreshErrorHandlerFunc: func(string) func(context.Context, error) {
			return func(_ context.Context, err error) { v.log("the issuer's keys could not be fetched", err) }
		},
	})
	if err != nil {
		cancel()
	} else {
		context.AfterFunc(v.life, cancel)
	}
	return keys, err
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
