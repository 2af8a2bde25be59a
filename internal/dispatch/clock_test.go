package dispatch

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"codemode-mcp/internal/catalog"
)

// The clock of a call stands still while it waits for a human, up to a limit, and
// the clock above is told once.
func TestClockWaitsForHumans(t *testing.T) {
	over := errors.New("over")
	const timeout, limit = 10 * time.Second, time.Minute
	tests := []struct {
		name string
		call func(ctx context.Context)
		ends time.Duration // when the time is over, if nothing more is waited for
	}{
		{"no human", func(context.Context) {}, timeout},
		{"one", func(ctx context.Context) {
			time.Sleep(time.Second)
			done := catalog.WaitForHuman(ctx)
			time.Sleep(30 * time.Second)
			done()
			done()
		}, timeout + 30*time.Second},
		{"two at once", func(ctx context.Context) {
			one, two := catalog.WaitForHuman(ctx), catalog.WaitForHuman(ctx)
			time.Sleep(5 * time.Second)
			one()
			time.Sleep(5 * time.Second)
			two()
		}, timeout + 10*time.Second},
		{"one after the other, beyond the limit", func(ctx context.Context) {
			for range 2 {
				done := catalog.WaitForHuman(ctx)
				time.Sleep(32 * time.Second)
				done()
			}
		}, timeout + limit},
		{"who never comes", func(ctx context.Context) { catalog.WaitForHuman(ctx) }, timeout + limit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				begun, ended := 0, 0
				above := catalog.WithHuman(context.Background(), func() func() { begun++; return func() { ended++ } })
				ctx, cancel := withClock(above, timeout, limit, over)
				defer cancel()
				go tt.call(ctx)
				<-ctx.Done()
				if took := time.Since(start); took != tt.ends || !errors.Is(context.Cause(ctx), over) {
					t.Errorf("over after %v, want %v: %v", took, tt.ends, context.Cause(ctx))
				}
				if begun-ended > 1 || tt.name == "two at once" && (begun != 1 || ended != 1) {
					t.Errorf("the clock above was told of %d waits and of %d ends", begun, ended)
				}
			})
		})
	}
}
