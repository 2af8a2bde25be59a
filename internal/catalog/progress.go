package catalog

import "context"

// Progress is what a tool says of a call under way.
type Progress struct {
	Message         string
	Progress, Total float64
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
