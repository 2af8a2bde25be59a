package auth

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"go.uber.org/goleak"

	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func request(headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	for _, h := range headers {
		r.Header.Add("Authorization", h)
	}
	return r
}

func refusal(t *testing.T, err error) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return e
}

func TestStaticTokens(t *testing.T) {
	token, digest := NewToken()
	sum, err := hex.DecodeString(digest)
	if err != nil {
		t.Fatal(err)
	}
	old := sha256.Sum256([]byte("old"))
	cfg := config.Auth{Tokens: []config.Token{
		{Name: "ada", Role: policy.Editor, Digest: [32]byte(sum)},
		{Name: "old", Role: policy.Admin, Digest: old, Expires: time.Now().Add(-time.Hour)},
	}}
	v := New(cfg, nil, func(string, error) {})
	defer v.Close()
	id, err := v.Verify(request("Bearer " + token))
	if err != nil || id.Principal != (policy.Principal{ID: "ada", Role: policy.Editor}) {
		t.Fatalf("got %v %v", id, err)
	}
	for name, c := range map[string]struct {
		headers []string
		status  int
		code    string
	}{
		"none":           {nil, 401, ""},
		"wrong":          {[]string{"Bearer nonsense"}, 401, "invalid_token"},
		"the digest":     {[]string{"Bearer " + digest}, 401, "invalid_token"},
		"expired":        {[]string{"Bearer old"}, 401, "invalid_token"},
		"basic":          {[]string{"Basic " + token}, 401, ""},
		"empty":          {[]string{"Bearer "}, 401, ""},
		"two":            {[]string{"Bearer " + token, "Bearer " + token}, 400, "invalid_request"},
		"too long":       {[]string{"Bearer " + string(make([]byte, maxToken+1))}, 401, "invalid_token"},
		"trailing words": {[]string{"Bearer " + token + " x"}, 401, "invalid_token"},
	} {
		_, err := v.Verify(request(c.headers...))
		if e := refusal(t, err); e.Status != c.status || e.Code != c.code {
			t.Errorf("%s: %d %s", name, e.Status, e.Code)
		}
	}
	r := request()
	r.URL.RawQuery = "access_token=" + token
	if e := refusal(t, errOf(v.Verify(r))); e.Status != 401 {
		t.Errorf("a token in the query: %d", e.Status)
	}
}

func errOf(_ Identity, err error) error { return err }

// issuer is an authorization server with keys that change.
type issuer struct {
	*httptest.Server
	keys    atomic.Pointer[[]any]
	fetches atomic.Int64
}

func newIssuer(t *testing.T) *issuer {
	i := &issuer{}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		i.fetches.Add(1)
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": *i.keys.Load()})
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) publish(keys ...any) { i.keys.Store(&keys) }

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func publicRSA(kid string, k *rsa.PrivateKey) any {
	return map[string]string{"kty": "RSA", "kid": kid, "use": "sig", "n": b64(k.N.Bytes()), "e": b64(big.NewInt(int64(k.E)).Bytes())}
}

func publicEC(kid string, k *ecdsa.PrivateKey) any {
	point, err := k.PublicKey.ECDH()
	if err != nil {
		panic(err)
	}
	xy := point.Bytes()[1:]
	return map[string]string{"kty": "EC", "kid": kid, "crv": "P-256", "x": b64(xy[:32]), "y": b64(xy[32:])}
}

func sign(t *testing.T, method jwt.SigningMethod, kid string, key any, claims jwt.MapClaims, header ...string) string {
	t.Helper()
	token := jwt.NewWithClaims(method, claims)
	if kid != "" {
		token.Header["kid"] = kid
	}
	for n := 0; n+1 < len(header); n += 2 {
		token.Header[header[n]] = header[n+1]
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestJWT(t *testing.T) {
	i := newIssuer(t)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i.publish(publicRSA("r", rsaKey), publicEC("e", ecKey))
	v := New(config.Auth{JWT: &config.JWT{
		Issuer: i.URL, Audience: "https://mcp.example.com/mcp", Algorithms: []string{"RS256", "ES256"},
		PrincipalClaim: "sub", RoleClaim: "realm.roles", Roles: map[string]policy.Role{"readers": policy.Viewer, "writers": policy.Editor},
	}}, nil, func(string, error) {})
	defer v.Close()
	claims := func(change ...any) jwt.MapClaims {
		c := jwt.MapClaims{"iss": i.URL, "aud": []string{"x", "https://mcp.example.com/mcp"}, "sub": "ada",
			"exp": time.Now().Add(time.Hour).Unix(), "realm": map[string]any{"roles": []string{"readers", "writers", "other"}}}
		for n := 0; n < len(change); n += 2 {
			if change[n+1] == nil {
				delete(c, change[n].(string))
			} else {
				c[change[n].(string)] = change[n+1]
			}
		}
		return c
	}
	for name, token := range map[string]string{
		"RS256": sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims()),
		"ES256": sign(t, jwt.SigningMethodES256, "e", ecKey, claims(), "typ", "at+jwt"),
	} {
		id, err := v.Verify(request("Bearer " + token))
		if err != nil || id.Principal != (policy.Principal{ID: "jwt:ada", Role: policy.Editor}) || id.Expires.IsZero() {
			t.Errorf("%s: %v %v", name, id, err)
		}
	}
	public, err := x509.MarshalPKIXPublicKey(rsaKey.Public())
	if err != nil {
		t.Fatal(err)
	}
	publicPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
	good := sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims())
	for name, c := range map[string]struct {
		token  string
		status int
		code   string
	}{
		"expired":                 {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("exp", time.Now().Add(-time.Hour).Unix())), 401, "invalid_token"},
		"no expiry":               {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("exp", nil)), 401, "invalid_token"},
		"not yet":                 {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("nbf", time.Now().Add(time.Hour).Unix())), 401, "invalid_token"},
		"wrong audience":          {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("aud", "https://other.example.com")), 401, "invalid_token"},
		"no audience":             {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("aud", nil)), 401, "invalid_token"},
		"wrong issuer":            {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("iss", "https://evil.example")), 401, "invalid_token"},
		"alg none":                {sign(t, jwt.SigningMethodNone, "r", jwt.UnsafeAllowNoneSignatureType, claims()), 401, "invalid_token"},
		"HS256 with the public":   {sign(t, jwt.SigningMethodHS256, "r", publicPEM, claims()), 401, "invalid_token"},
		"HS256 with the modulus":  {sign(t, jwt.SigningMethodHS256, "r", rsaKey.N.Bytes(), claims()), 401, "invalid_token"},
		"RS512, not listed":       {sign(t, jwt.SigningMethodRS512, "r", rsaKey, claims()), 401, "invalid_token"},
		"a stranger's key":        {sign(t, jwt.SigningMethodRS256, "r", stranger, claims()), 401, "invalid_token"},
		"a stranger's key, no id": {sign(t, jwt.SigningMethodRS256, "", stranger, claims()), 401, "invalid_token"},
		"another key's id":        {sign(t, jwt.SigningMethodRS256, "e", rsaKey, claims()), 401, "invalid_token"},
		"critical":                {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims(), "crit", "x"), 401, "invalid_token"},
		"another type":            {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims(), "typ", "dpop+jwt"), 401, "invalid_token"},
		"nobody":                  {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("sub", nil)), 401, "invalid_token"},
		"a subject backwards":     {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("sub", "ada\u202enimda")), 401, "invalid_token"},
		"a subject's next line":   {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("sub", "ada\u0085admin")), 401, "invalid_token"},
		"a subject in two lines":  {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("sub", "ada\nadmin")), 401, "invalid_token"},
		"no role":                 {sign(t, jwt.SigningMethodRS256, "r", rsaKey, claims("realm", map[string]any{"roles": []string{"other"}})), 403, "insufficient_scope"},
		"a changed signature":     {good[:len(good)-4] + "AAAA", 401, "invalid_token"},
		"two parts":               {good[:len(good)-342], 401, "invalid_token"},
	} {
		id, err := v.Verify(request("Bearer " + c.token))
		if err == nil {
			t.Errorf("%s: taken as %v", name, id.Principal)
			continue
		}
		if e := refusal(t, err); e.Status != c.status || e.Code != c.code {
			t.Errorf("%s: %d %s (%s)", name, e.Status, e.Code, e.Reason)
		}
	}

	// The keys change: tokens of the new one work at once, those of the old one not
	// any more, and forged key ids don't make us hammer the issuer.
	next, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i.publish(publicRSA("next", next))
	if _, err := v.Verify(request("Bearer " + sign(t, jwt.SigningMethodRS256, "next", next, claims()))); err != nil {
		t.Errorf("a new key: %v", refusal(t, err).Reason)
	}
	if _, err := v.Verify(request("Bearer " + good)); err == nil {
		t.Error("a key that was withdrawn is still taken")
	}
}

// A name that was never seen is asked for, but seldom.
func TestForgedKeyIDs(t *testing.T) {
	i := newIssuer(t)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i.publish(publicRSA("r", key))
	v := New(config.Auth{JWT: &config.JWT{Issuer: i.URL, Audience: "a", Algorithms: []string{"RS256"}, PrincipalClaim: "sub", RoleClaim: "scope",
		Roles: map[string]policy.Role{"r": policy.Viewer}}}, nil, func(string, error) {})
	defer v.Close()
	claims := jwt.MapClaims{"iss": i.URL, "aud": "a", "sub": "ada", "exp": time.Now().Add(time.Hour).Unix(), "scope": "x r"}
	r := request("Bearer " + sign(t, jwt.SigningMethodRS256, "r", key, claims))
	if _, err := v.Verify(r); err != nil {
		t.Fatal(err)
	}
	for n := range 50 {
		r := request("Bearer " + sign(t, jwt.SigningMethodRS256, "forged"+string(rune('a'+n)), key, claims))
		ctx, cancel := context.WithTimeout(r.Context(), time.Second) // nobody waits for a turn
		_, err := v.Verify(r.WithContext(ctx))
		cancel()
		if err == nil {
			t.Fatal("a forged key id is taken")
		}
	}
	if n := i.fetches.Load(); n > unknownBurst+3 {
		t.Errorf("the issuer was asked %d times", n)
	}
	if _, err := v.Verify(request("Bearer " + sign(t, jwt.SigningMethodRS256, "r", key, claims))); err != nil {
		t.Errorf("a right token is kept out by forged ones: %v", err)
	}
}

// While the keys were never fetched nobody's token is wrong, nobody waits long, and the
// key server is not hammered. When it is up again, tokens are taken.
func TestKeyServerDown(t *testing.T) {
	for _, given := range []bool{true, false} {
		i := newIssuer(t)
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			t.Fatal(err)
		}
		i.publish(publicRSA("r", key))
		var down atomic.Bool
		down.Store(true)
		up := i.Config.Handler
		var asked atomic.Int64
		i.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1); down.Load() {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			up.ServeHTTP(w, r)
		})
		cfg := &config.JWT{Issuer: i.URL, Audience: "a", Algorithms: []string{"RS256"}, PrincipalClaim: "sub", RoleClaim: "scope",
			Roles: map[string]policy.Role{"r": policy.Viewer}}
		if given {
			cfg.JWKS = i.URL + "/keys"
		}
		v := New(config.Auth{JWT: cfg}, nil, func(string, error) { t.Error("it is told twice") })
		defer v.Close()
		claims := jwt.MapClaims{"iss": i.URL, "aud": "a", "sub": "ada", "exp": time.Now().Add(time.Hour).Unix(), "scope": "r"}
		r := request("Bearer " + sign(t, jwt.SigningMethodRS256, "r", key, claims))
		for range 20 {
			if e := refusal(t, errOf(v.Verify(r))); e.Status != http.StatusServiceUnavailable || e.Reason == "" {
				t.Fatalf("got %d %s", e.Status, e.Reason)
			}
		}
		if n := asked.Load(); n > 2 {
			t.Errorf("the key server was asked %d times", n)
		}
		down.Store(false)
		v.jwt.mu.Lock()
		v.jwt.tryNext = time.Time{}
		v.jwt.mu.Unlock()
		if _, err := v.Verify(r); err != nil {
			t.Errorf("a right token is refused: %v", err)
		}
	}
}

// A key server that does not answer holds nobody longer than the request lasts.
func TestKeyServerHangs(t *testing.T) {
	hang := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}))
	defer s.Close()
	defer close(hang)
	v := New(config.Auth{JWT: &config.JWT{Issuer: s.URL, Audience: "a", Algorithms: []string{"RS256"}, PrincipalClaim: "sub", RoleClaim: "scope"}}, nil, func(string, error) {})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if e := refusal(t, errOf(v.Verify(request("Bearer x.y.z").WithContext(ctx)))); e.Status != http.StatusServiceUnavailable {
		t.Errorf("got %d", e.Status)
	}
	v.Close()
	if e := refusal(t, errOf(v.Verify(request("Bearer x.y.z")))); e.Status != http.StatusServiceUnavailable {
		t.Errorf("after the end: got %d", e.Status)
	}
}
