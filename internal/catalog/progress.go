package catalog

import (
	"context"
	"fmt"
)

// Progress is what a tool says of a call under way.
type Progress struct {
	Message         string
	Progress, Total float64
}

// String says it in one line.
func (p Progress) String() string {
	switch {
	case p.Message != "":
		return p.Message
	case p.Total > 0:
		return fmt.Sprintf("%g of %g", p.Progress, p.Total)
	}
	return fmt.Sprintf("%g", p.Progress)
}

type progressKey struct{}

// WithProgress gives a call somebody to tell of its progress. tell must not
// block.
func WithProgress(ctx context.Context, tell func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// ProgressOf is whom a call tells of its progress, or nil.
func ProgressOf(ctx context.Context) func(Progress) {
	tell, _ := ctx.Value(progressKey{}).(func(Progress))
	return tell
}
