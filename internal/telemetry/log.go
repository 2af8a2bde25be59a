// Package telemetry makes the logger, writes the audit log and keeps the metrics.
//
// It owns what a log line looks like, and the names of the figures. Everything goes to stderr: stdout belongs
// to the protocol. Of this module it imports only dispatch and bridge, for their events.
package telemetry

import (
	"errors"
	"io"
	"strings"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"codemode-mcp/internal/bridge"
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
			zap.String("tool", name(e.Tool)),
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
			log.Info("tool call failed", append(fields, zap.String("error", reason(e.Err)))...)
			return
		}
		log.Info("tool call", fields...)
	}
}

// AuditRun gives a recorder that writes one line for each run: who, how long, how it
// ended. The script is not logged: it may hold secrets.
func AuditRun(log *zap.Logger) func(bridge.Ended) {
	return func(e bridge.Ended) {
		fields := []zap.Field{
			zap.String("run", e.Run),
			zap.String("principal", e.Principal.ID),
			zap.Stringer("role", e.Principal.Role),
			zap.Duration("took", e.Duration),
			zap.Int("calls", e.Calls),
			zap.Int("scriptBytes", e.Script),
		}
		if e.Kind != "" {
			log.Info("script run failed", append(fields, zap.String("error", string(e.Kind)))...)
			return
		}
		log.Info("script run", fields...)
	}
}

// maxName bounds a name in the log, in bytes: a script may ask for any.
const maxName = 256

func name(s string) string {
	if len(s) > maxName {
		s = s[:maxName] + "..."
	}
	return strings.ToValidUTF8(s, "?")
}

// reason is why a call failed, in words that hold nothing of its arguments: what a
// tool or a schema says of them stays out of the log.
func reason(err error) string {
	var e *dispatch.Error
	if errors.As(err, &e) {
		return string(e.Kind)
	}
	return string(dispatch.Failed)
}
