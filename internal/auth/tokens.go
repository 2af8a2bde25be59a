package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"

	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
)

// tokenPrefix marks our tokens, so that scanners for leaked secrets find them.
const tokenPrefix = "cmt_"

// NewToken makes a static token of 256 random bits, and what the configuration
// keeps of it.
func NewToken() (token, digest string) {
	b := make([]byte, 32)
	rand.Read(b) // never fails
	token = tokenPrefix + base64.RawURLEncoding.EncodeToString(b)
	sum := sha256.Sum256([]byte(token))
	return token, hex.EncodeToString(sum[:])
}

// static are the tokens of the configuration.
type static []config.Token

// find compares with every token, each in constant time, so that the time tells
// nothing of which one came near.
func (s static) find(token string) (Identity, bool) {
	sum := sha256.Sum256([]byte(token))
	found := -1
	for i := range s {
		if subtle.ConstantTimeCompare(sum[:], s[i].Digest[:]) == 1 {
			found = i
		}
	}
	if found < 0 {
		return Identity{}, false
	}
	t := s[found]
	return Identity{Principal: policy.Principal{ID: t.Name, Role: t.Role}, Token: token, Expires: t.Expires}, true
}
