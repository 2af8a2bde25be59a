package tests

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// issuer is an authorization server: it publishes keys and signs tokens.
type issuer struct {
	*httptest.Server
	t *testing.T

	mu  sync.Mutex
	kid string          // guarded by mu
	key *rsa.PrivateKey // guarded by mu
}

const audience = "https://mcp.example.com/mcp"

func newIssuer(t *testing.T) *issuer {
	i := &issuer{t: t}
	i.rotate("first")
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		b64 := base64.RawURLEncoding.EncodeToString
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]string{"kty": "RSA", "use": "sig", "kid": i.kid,
			"n": b64(i.key.N.Bytes()), "e": b64(big.NewInt(int64(i.key.E)).Bytes())}}})
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) rotate(kid string) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		i.t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.kid, i.key = kid, key
}

// config is the section of the server that takes the issuer's tokens.
func (i *issuer) config() string {
	return fmt.Sprintf(`"auth":{"jwt":{"issuer":%q,"audience":%q,"roles":{"mcp:read":"viewer","mcp:write":"editor","mcp:admin":"admin"}}}`, i.URL, audience)
}

// claims are those of a good token; pairs change them, nil takes one out.
func (i *issuer) claims(change ...any) jwt.MapClaims {
	c := jwt.MapClaims{"iss": i.URL, "aud": audience, "sub": "ada", "scope": "openid mcp:admin", "exp": time.Now().Add(time.Hour).Unix()}
	for n := 0; n < len(change); n += 2 {
		c[change[n].(string)] = change[n+1]
	}
	return c
}

func (i *issuer) token(change ...any) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.sign(jwt.SigningMethodRS256, i.key, i.claims(change...))
}

// sign needs mu.
func (i *issuer) sign(method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
	token := jwt.NewWithClaims(method, claims)
	token.Header["kid"] = i.kid
	text, err := token.SignedString(key)
	if err != nil {
		i.t.Fatal(err)
	}
	return text
}

// publicPEM is the public key as an attacker has it.
func (i *issuer) publicPEM() []byte {
	i.mu.Lock()
	defer i.mu.Unlock()
	der, err := x509.MarshalPKIXPublicKey(i.key.Public())
	if err != nil {
		i.t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}
