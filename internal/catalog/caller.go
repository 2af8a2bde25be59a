package catalog

import "context"

// Caller is whose call it is, for tools that act in somebody's name.
type Caller struct {
	// Principal is the principal's ID.
	Principal string
	// Token is the bearer token that the caller came with, or empty. It goes nowhere
	// but to servers whose entry says so.
	Token string
}

type (
	principalKey struct{}
	tokenKey     struct{}
)

// WithPrincipal says whose call it is. The dispatcher does, for every call.
func WithPrincipal(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, principalKey{}, id)
}

// WithToken keeps the token that a request came with.
func WithToken(ctx context.Context, token string) context.Context {
	return context.WithValue(ctx, tokenKey{}, token)
}

// CallerOf is whose call it is.
func CallerOf(ctx context.Context) (c Caller) {
	c.Principal, _ = ctx.Value(principalKey{}).(string)
	c.Token, _ = ctx.Value(tokenKey{}).(string)
	return c
}
