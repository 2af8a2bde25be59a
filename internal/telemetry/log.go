// Package telemetry makes the logger and writes the audit log.
//
// It owns what a log line looks like. Everything goes to stderr: stdout belongs
// to the protocol. Of this module it imports only dispatch, for its events.
package telemetry

import (
	"io"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"codemode-mcp/internal/dispatch"
)

// NewLogger writes to w. The level is debug, info, warn or error, the format
// console or json; the config has checked both.
func NewLogger(w io.Writer, level, format string) *zap.Logger {
	lvl, err := zapcore.ParseLevel(level)
	if err != nil {
		lvl = zapcore.InfoLevel
	}
	ec := zap.NewProductionEncoderConfig()
	ec.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	enc := zapcore.NewConsoleEncoder(ec)
	if format == "json" {
		enc = zapcore.NewJSONEncoder(ec)
	}
	return zap.New(zapcore.NewCore(enc, zapcore.Lock(zapcore.AddSync(w)), lvl))
}

// Audit gives a recorder that writes one line for each tool call: who, what, in
// which run, how it ended. Arguments and results are never logged: they may hold
// secrets.
func Audit(log *zap.Logger) func(dispatch.Event) {
	return func(e dispatch.Event) {
		fields := []zap.Field{
			zap.String("tool", e.Tool),
			zap.String("principal", e.Principal.ID),
			zap.Stringer("role", e.Principal.Role),
			zap.Duration("took", e.Duration),
		}
		if e.Run != "" {
			fields = append(fields, zap.String("run", e.Run))
		}
		if e.Panic != "" {
			log.Error("tool panicked", append(fields, zap.String("panic", e.Panic))...)
			return
		}
		if e.Err != nil {
			log.Info("tool call failed", append(fields, zap.String("error", bounded(e.Err.Error())))...)
			return
		}
		log.Info("tool call", fields...)
	}
}

// maxLogged bounds a foreign text in a log line, in bytes.
const maxLogged = 500

func bounded(s string) string {
	if len(s) > maxLogged {
		return s[:maxLogged] + "..."
	}
	return s
}
