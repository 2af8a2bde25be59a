// Package auth says who makes a request over HTTP: it checks bearer tokens and
// gives the principal they stand for.
//
// It owns static tokens, JWTs with their keys, and the words of a refusal. It
// knows headers and tokens, no MCP. Of this module it imports config (what is
// configured) and policy.
package auth

import (
	"context"
	"net/http"
	"strings"
	"time"

	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
)

// Identity is who makes a request.
type Identity struct {
	Principal policy.Principal
	// Token is the bearer token as it came, or empty. It goes nowhere but to
	// upstream servers whose entry asks for it.
	Token string
	// Expires is when the token does, or zero.
	Expires time.Time
}

// Error is a refusal. Its text is for the caller and tells nothing of why a token
// does not fit: that is for the log, in Reason.
type Error struct {
	// Status is 400, 401, 403 or 503.
	Status int
	// Code is the error of RFC 6750, or empty when no token came.
	Code string
	// Text is for the caller.
	Text string
	// Scope is what a token would need, when Code is insufficient_scope.
	Scope string
	// Reason is for the log. It holds nothing of the token but names of claims.
	Reason string
}

// Error gives the text for the caller.
func (e *Error) Error() string { return e.Text }

// maxToken bounds a token, in bytes.
const maxToken = 16 << 10

// Verifier checks tokens. It is safe for concurrent use.
type Verifier struct {
	static static
	jwt    *jwtVerifier // nil: no JWTs are taken
	open   *policy.Principal
}

// New makes a verifier of a configuration. Requests without a token are anonymous
// when open is set: nothing is checked then.
func New(cfg config.Auth, open *policy.Principal, log func(string, error)) *Verifier {
	v := &Verifier{static: cfg.Tokens, open: open}
	if cfg.JWT != nil {
		v.jwt = newJWT(*cfg.JWT, log)
	}
	return v
}

// Close ends the fetching of keys.
func (v *Verifier) Close() {
	if v.jwt != nil {
		v.jwt.close()
	}
}

// Verify says who makes a request. The error is an [*Error].
func (v *Verifier) Verify(r *http.Request) (Identity, error) {
	if v.open != nil {
		return Identity{Principal: *v.open}, nil
	}
	token, err := bearer(r)
	if err != nil {
		return Identity{}, err
	}
	if id, ok := v.static.find(token); ok {
		if !id.Expires.IsZero() && time.Now().After(id.Expires) {
			return Identity{}, invalid("the static token of " + id.Principal.ID + " has expired")
		}
		return id, nil
	}
	if v.jwt == nil {
		return Identity{}, invalid("the token is not one of those configured")
	}
	return v.jwt.verify(r.Context(), token)
}

// Metadata says whose tokens are taken, or nothing, and which scopes to ask for when
// roles come from them.
func (v *Verifier) Metadata() (issuer string, scopes []string) {
	if v.jwt == nil {
		return "", nil
	}
	j := &v.jwt.cfg
	if j.RoleClaim == "scope" || j.RoleClaim == "scp" {
		scopes = j.RoleValues()
	}
	return j.Issuer, scopes
}

// bearer reads the one token of a request.
func bearer(r *http.Request) (string, error) {
	headers := r.Header.Values("Authorization")
	query := r.URL.Query()
	inQuery := query.Has("access_token") || query.Has("token") || query.Has("authorization")
	switch {
	case len(headers) == 0 && inQuery:
		return "", &Error{Status: http.StatusUnauthorized, Text: "authentication is needed: tokens are taken in the Authorization header only", Reason: "the token is in the query"}
	case len(headers) == 0:
		return "", &Error{Status: http.StatusUnauthorized, Text: "authentication is needed", Reason: "no token"}
	case len(headers) > 1 || inQuery:
		return "", &Error{Status: http.StatusBadRequest, Code: "invalid_request", Text: "one token is taken, in one Authorization header", Reason: "more than one token"}
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", &Error{Status: http.StatusUnauthorized, Text: "authentication is needed: Authorization: Bearer TOKEN", Reason: "another scheme"}
	}
	if len(token) > maxToken {
		return "", invalid("the token is too long")
	}
	return token, nil
}

func invalid(reason string) *Error {
	return &Error{Status: http.StatusUnauthorized, Code: "invalid_token", Text: "the token is not valid", Reason: reason}
}

type identityKey struct{}

// With puts an identity into a context.
func With(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, id)
}

// Of gives the identity of a context.
func Of(ctx context.Context) (Identity, bool) {
	id, ok := ctx.Value(identityKey{}).(Identity)
	return id, ok
}
