package config

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"codemode-mcp/internal/policy"
)

// Auth is who may use the HTTP endpoint.
type Auth struct {
	Tokens []Token
	// JWT is the issuer whose tokens are taken. Nil: none.
	JWT *JWT
}

// Some reports whether anybody is asked who they are.
func (a Auth) Some() bool { return len(a.Tokens) > 0 || a.JWT != nil }

// Token is a static bearer token. Only its digest is known.
type Token struct {
	Name    string
	Role    policy.Role
	Digest  [32]byte // SHA-256
	Expires time.Time
}

// JWT is one issuer of tokens.
type JWT struct {
	Issuer   string
	Audience string
	// JWKS is where the keys are. Empty: the issuer's metadata says it.
	JWKS       string
	Algorithms []string
	// PrincipalClaim names who it is. Default sub.
	PrincipalClaim string
	// RoleClaim is a claim's name, or its path with dots. Default scope.
	RoleClaim string
	// Roles gives the role of each value of the claim.
	Roles map[string]policy.Role
	// DefaultRole is for tokens whose claim gives none. Nil: they are refused.
	DefaultRole *policy.Role
	ClockSkew   time.Duration
}

// RoleValues are the values of the claim that give a role, in order.
func (j *JWT) RoleValues() []string { return slices.Sorted(maps.Keys(j.Roles)) }

// algorithms are those whose keys may be public. none and the HS family are not
// among them: a public key is no shared secret.
var algorithms = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

const (
	maxTokenName = 128
	maxTokens    = 10_000
)

func (a *Auth) parse(where string, raw json.RawMessage) error {
	var tokens, jwt json.RawMessage
	if err := readSection(where, raw, []setting{{key: "tokens", to: &tokens}, {key: "jwt", to: &jwt}}); err != nil {
		return err
	}
	if tokens != nil {
		var list []json.RawMessage
		if err := read(where+".tokens", tokens, "a list of objects", &list); err != nil {
			return err
		}
		if len(list) > maxTokens {
			return &Error{where + ".tokens", fmt.Sprintf("has %d tokens, at most %d are taken", len(list), maxTokens)}
		}
		for i, entry := range list {
			if err := a.token(fmt.Sprintf("%s.tokens[%d]", where, i), entry); err != nil {
				return err
			}
		}
	}
	if jwt != nil {
		return a.issuer(where+".jwt", jwt)
	}
	return nil
}

func (a *Auth) token(where string, raw json.RawMessage) error {
	var t Token
	var role, sum, expires string
	err := readSection(where, raw, []setting{{key: "name", to: &t.Name}, {key: "role", to: &role}, {key: "sha256", to: &sum}, {key: "expires", to: &expires}})
	if err != nil {
		return err
	}
	if err := CheckTokenName(t.Name); err != nil {
		return &Error{where + ".name", err.Error()}
	}
	if t.Role, err = policy.ParseRole(role); err != nil {
		return &Error{where + ".role", err.Error()}
	}
	digest, err := hex.DecodeString(sum)
	if err != nil || len(digest) != len(t.Digest) {
		return &Error{where + ".sha256", "must be 64 hexadecimal digits: codemode-mcp token new --role ROLE prints them"} // not quoted: it may be a token
	}
	copy(t.Digest[:], digest)
	if expires != "" {
		if t.Expires, err = time.Parse(time.RFC3339, expires); err != nil {
			return &Error{where + ".expires", fmt.Sprintf("%q is no time such as 2027-01-31T00:00:00Z", expires)}
		}
	}
	for _, other := range a.Tokens {
		if other.Digest == t.Digest {
			return &Error{where + ".sha256", "is also the token of " + other.Name}
		}
		if other.Name == t.Name && other.Role != t.Role { // two tokens of one name take turns while one is replaced
			return &Error{where + ".role", fmt.Sprintf("%s is %s by another token: one name has one role", t.Name, other.Role)}
		}
	}
	a.Tokens = append(a.Tokens, t)
	return nil
}

// CheckTokenName says what is wrong with the name of a token's owner, or nothing.
func CheckTokenName(name string) error {
	switch {
	case name == "" || len(name) > maxTokenName || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("must have 1 to %d bytes, all of characters that show", maxTokenName)
	case strings.Contains(name, ":"):
		return errors.New("must not hold a colon: that marks the names of other issuers")
	case name == LocalUser:
		return fmt.Errorf("%q is the user of this machine: choose another name", name)
	}
	return nil
}

// LocalUser is the principal on stdio, in a terminal, and of an endpoint without
// authentication.
const LocalUser = "local"

func (a *Auth) issuer(where string, raw json.RawMessage) error {
	j := JWT{Algorithms: []string{"RS256", "ES256"}, PrincipalClaim: "sub", RoleClaim: "scope", ClockSkew: 30 * time.Second}
	var roles json.RawMessage
	var defaultRole string
	err := readSection(where, raw, []setting{
		{key: "issuer", to: &j.Issuer}, {key: "audience", to: &j.Audience}, {key: "jwksUrl", to: &j.JWKS},
		{key: "algorithms", to: &j.Algorithms}, {key: "principalClaim", to: &j.PrincipalClaim}, {key: "roleClaim", to: &j.RoleClaim},
		{key: "roles", to: &roles}, {key: "defaultRole", to: &defaultRole}, {"clockSkewSeconds", &j.ClockSkew, 0, 300},
	})
	if err != nil {
		return err
	}
	if problem := checkURL(j.Issuer, false); problem != "" {
		return &Error{where + ".issuer", strings.Replace(problem, "its url", "it", 1)}
	}
	if j.Audience == "" {
		return &Error{where + ".audience", "is missing: without it a token for any other service would be taken"}
	}
	if j.JWKS != "" {
		if problem := checkURL(j.JWKS, false); problem != "" {
			return &Error{where + ".jwksUrl", strings.Replace(problem, "its url", "it", 1)}
		}
	}
	if len(j.Algorithms) == 0 {
		return &Error{where + ".algorithms", "is empty: name at least one of " + strings.Join(algorithms, ", ")}
	}
	for _, alg := range j.Algorithms {
		if !contains(algorithms, alg) {
			return &Error{where + ".algorithms", fmt.Sprintf("%q is not taken: want one of %s", alg, strings.Join(algorithms, ", "))}
		}
	}
	if err := j.roles(where, roles, defaultRole); err != nil {
		return err
	}
	a.JWT = &j
	return nil
}

func (j *JWT) roles(where string, raw json.RawMessage, defaultRole string) error {
	if defaultRole != "" {
		role, err := policy.ParseRole(defaultRole)
		if err != nil {
			return &Error{where + ".defaultRole", err.Error()}
		}
		j.DefaultRole = &role
	}
	if raw == nil {
		if j.DefaultRole == nil {
			return &Error{where + ".roles", `is missing: say which values of the claim give which role, such as {"mcp:read": "viewer"}, or a defaultRole`}
		}
		return nil
	}
	names := map[string]string{}
	if err := read(where+".roles", raw, "an object of strings", &names); err != nil {
		return err
	}
	j.Roles = map[string]policy.Role{}
	for value, name := range names {
		role, err := policy.ParseRole(name)
		if err != nil {
			return &Error{where + ".roles." + value, err.Error()}
		}
		j.Roles[value] = role
	}
	return nil
}

// readEndpoint reads the sections of the HTTP endpoint and what flags say of it.
func (c *Config) readEndpoint(f *file, flags Flags) error {
	c.HTTP = DefaultEndpoint()
	if f.HTTP != nil {
		if err := readSection(f.path+": http", f.HTTP, c.HTTP.settings()); err != nil {
			return err
		}
	}
	if f.Auth != nil {
		if err := c.Auth.parse(f.path+": auth", f.Auth); err != nil {
			return err
		}
	}
	h := &c.HTTP
	h.Addr = first(flags.HTTP, h.Addr)
	h.MetricsAddr = first(flags.Metrics, h.MetricsAddr)
	for _, file := range []*string{&h.Cert, &h.Key} { // a file's own paths are relative to it
		if *file != "" && !filepath.IsAbs(*file) {
			*file = filepath.Join(filepath.Dir(c.File), *file)
		}
	}
	h.Cert, h.Key = first(flags.Cert, h.Cert), first(flags.Key, h.Key)
	h.InsecureNoAuth = flags.InsecureNoAuth
	return h.check(func(key, flag string) string {
		if f.HTTP == nil {
			return flag
		}
		return f.path + ": http." + key
	})
}
