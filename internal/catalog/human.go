package catalog

import "context"

type humanKey struct{}

// WithHuman gives a call somebody to tell that it waits for a human, so that the
// clocks above it can stop for that time. begin is told when the wait begins and
// gives what is to be called when it ends. It must not block.
func WithHuman(ctx context.Context, begin func() (end func())) context.Context {
	return context.WithValue(ctx, humanKey{}, begin)
}

// WaitForHuman says that the call of this context waits for a human from now on,
// until done is called. Clocks stop only as far as a limit allows, and never for a
// script that computes meanwhile. Call done in any case; more than once is harmless.
func WaitForHuman(ctx context.Context) (done func()) {
	begin, ok := ctx.Value(humanKey{}).(func() (end func()))
	if !ok {
		return func() {}
	}
	return begin()
}
