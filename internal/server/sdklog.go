package server

import (
	"context"
	"log/slog"
)

// sdkLog makes a logger for the SDK, which tells of every session, with its id, at
// level info: here that is debug. Its errors and warnings are mostly what clients do
// wrong, who could fill a log with them: here they are one level less.
func sdkLog(log *slog.Logger) *slog.Logger { return slog.New(quieter{log.Handler()}) }

type quieter struct{ slog.Handler }

func lower(l slog.Level) slog.Level {
	switch {
	case l == slog.LevelInfo:
		return slog.LevelDebug
	case l > slog.LevelWarn:
		return slog.LevelWarn
	case l == slog.LevelWarn:
		return slog.LevelInfo
	}
	return l
}

func (q quieter) Enabled(ctx context.Context, l slog.Level) bool {
	return q.Handler.Enabled(ctx, lower(l))
}

func (q quieter) Handle(ctx context.Context, r slog.Record) error {
	r.Level = lower(r.Level)
	return q.Handler.Handle(ctx, r)
}

func (q quieter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return quieter{q.Handler.WithAttrs(attrs)}
}

func (q quieter) WithGroup(name string) slog.Handler { return quieter{q.Handler.WithGroup(name)} }
