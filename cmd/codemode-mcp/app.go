package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"codemode-mcp/internal/bridge"
	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/discover"
	"codemode-mcp/internal/dispatch"
	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/sandbox"
	"codemode-mcp/internal/sandbox/lockdown"
	"codemode-mcp/internal/server"
	"codemode-mcp/internal/telemetry"
	"codemode-mcp/internal/tokens"
	"codemode-mcp/internal/upstream"
	"codemode-mcp/internal/workspace"
)

// app is everything a command needs, wired together. Close ends it in the
// reverse order.
type app struct {
	flags     config.Flags   // what the configuration is read again with
	config    *config.Config // that of the start
	log       *zap.Logger
	principal policy.Principal
	workspace *workspace.Workspace
	dispatch  *dispatch.Dispatcher
	pool      *sandbox.Pool
	bridge    *bridge.Bridge
	builtin   []catalog.Tool    // the workspace's
	servers   *upstream.Manager // nil when none are configured
	reports   bool              // the command tells of servers itself, the log need not; set before they start
	server    *server.Server    // nil for the commands of a terminal; set before openServers

	metrics  *telemetry.Metrics                      // nil: nobody looks at them
	reloaded func(*config.Config) (waiting []string) // takes a new configuration; nil for stdio

	reloading sync.Mutex
	current   config.Config // guarded by reloading: what was last taken
}

// localUser is the principal on stdio and in a terminal.
const localUser = config.LocalUser

// newApp opens the workspace and wires the rest. Workers start with openPool.
func newApp(flags config.Flags, io streams) (*app, error) {
	cfg, err := config.Load(flags)
	if err != nil {
		return nil, err
	}
	a := &app{
		flags:     flags,
		config:    cfg,
		current:   *cfg,
		log:       telemetry.NewLogger(io.err, cfg.LogLevel, cfg.LogFormat),
		principal: policy.Principal{ID: localUser, Role: cfg.Role},
	}
	for _, warning := range cfg.Warnings {
		a.log.Warn("configuration: " + warning)
	}
	for _, note := range cfg.Notes {
		a.log.Info("configuration: " + note)
	}
	if cfg.Workspace != "" {
		home, _ := os.UserHomeDir() // unknown: nothing to refuse
		opts := &workspace.Options{Writable: cfg.Writable, Home: home}
		if cfg.File != "" {
			opts.Protected = append(opts.Protected, cfg.File)
		}
		if cfg.TokenDir != "" {
			opts.Protected = append(opts.Protected, cfg.TokenDir)
			opts.Secret = tokens.New(cfg.TokenDir).Files()
		}
		if slices.ContainsFunc(cfg.Servers, func(s config.Server) bool { return s.Sensitive() }) {
			opts.Secret = append(opts.Secret, cfg.File) // what it holds for a server is not for scripts
		}
		if cfg.CacheDir != "" {
			opts.Protected = append(opts.Protected, cfg.CacheDir)
		}
		if cfg.HTTP.Key != "" {
			opts.Secret = append(opts.Secret, cfg.HTTP.Key)
		}
		if a.workspace, err = workspace.Open(cfg.Workspace, opts); err != nil {
			return nil, fmt.Errorf("open workspace: %w", err)
		}
		a.builtin = a.workspace.Tools()
	}
	c, err := catalog.New(a.builtin)
	if err != nil {
		return nil, err
	}
	l := cfg.Limits
	many, extra := cfg.HTTP.Addr != "", workerExtraMB
	if many {
		extra += readyMB // each place has a spare process beside it
	}
	workers, err := l.Workers(extra)
	if err != nil {
		return nil, err
	}
	if l.MaxConcurrency == 0 {
		a.config.Limits.MaxConcurrency = workers // for who asks: as many as fit
	} else if workers < l.MaxConcurrency {
		a.log.Info(fmt.Sprintf("CODE_MODE_MAX_TOTAL_MEMORY_MB=%d allows %d live runs, below CODE_MODE_MAX_CONCURRENCY=%d", l.MaxTotalMemoryMB, workers, l.MaxConcurrency))
	}
	a.newServers()
	a.dispatch = dispatch.New(c, &dispatch.Options{
		Absent: a.absent,
		Bounds: callBounds(l),
		Record: a.recorder(),
		Help:   discover.Help(),
	})
	a.pool = sandbox.NewPool(sandbox.Options{
		Command:    []string{sandbox.SelfCommand, workerCommand},
		MemoryMB:   l.MaxMemoryMB,
		MaxWorkers: workers,
		Jitless:    !cfg.JIT,
		BestEffort: cfg.BestEffort,
		Warm:       min(2, runtime.NumCPU()),
		Many:       many,
		Spare:      workers,
		QueueWait:  l.QueueWait(),
		Ready:      a.sandboxReady,
		Log:        func(event string, err error) { a.log.Warn(event, zap.Error(err)) },
	})
	a.bridge = bridge.New(bridge.Options{Runner: a.pool, Dispatch: a.dispatch, Limits: l, Aliases: cfg.Aliases, Ended: telemetry.AuditRun(a.log)})
	return a, nil
}

// recorder writes the audit line of each tool call, and counts it.
func (a *app) recorder() func(dispatch.Event) {
	audit := telemetry.Audit(a.log)
	if a.config.HTTP.MetricsAddr == "" {
		return audit
	}
	a.metrics = telemetry.NewMetrics()
	return func(e dispatch.Event) {
		audit(e)
		a.metrics.Call(e)
	}
}

func callBounds(l limits.Limits) dispatch.Bounds {
	return dispatch.Bounds{Timeout: l.CallTimeout(), HumanWait: l.HumanWait(), MaxArgs: l.MaxArgsKB << 10, MaxResult: l.MaxToolResultKB << 10}
}

// withApp opens everything for the time of one command.
func withApp(flags config.Flags, io streams, f func(*app) error) error {
	a, err := newApp(flags, io)
	if err != nil {
		return err
	}
	return errors.Join(f(a), a.Close())
}

// sandboxReady says which layers are in force, and warns when one that scripts
// should not run without is missing.
func (a *app) sandboxReady(info sandbox.Info) {
	a.log.Info("sandbox ready", zap.String("engine", info.Engine), zap.Strings("layers", info.Layers), zap.Strings("missing", info.Missing))
	for _, needed := range []string{lockdown.LayerRlimits, lockdown.LayerSeccomp} {
		if !slices.Contains(info.Layers, needed) {
			a.log.Warn("the sandbox lacks a layer: hostile scripts are not held", zap.String("layer", needed))
		}
	}
}

const (
	// readyMB is what a worker holds when it is ready and shares with nobody, in MB
	// (measured).
	readyMB = 12
	// workerExtraMB is what a worker may take besides a script's memory, in MB: that,
	// and the runtime's slack.
	workerExtraMB = lockdown.SlackMB + readyMB
)

// openPool starts the workers, when scripts are enabled at all.
func (a *app) openPool() {
	if a.config.Limits.Enabled {
		a.pool.Open()
	}
}

// callsEndWithin is how long calls of scripts may take to see that they are
// cancelled.
const callsEndWithin = 2 * time.Second

// Close ends the workers first: they may be calling the workspace and the servers.
func (a *app) Close() error {
	if a.server != nil {
		a.server.Close()
	}
	if a.config.Limits.Enabled {
		a.pool.Close()
		ctx, cancel := context.WithTimeout(context.Background(), callsEndWithin)
		if err := a.bridge.Close(ctx); err != nil {
			a.log.Warn("a tool call goes on after it was cancelled", zap.Error(err))
		}
		cancel()
	}
	if a.servers != nil {
		a.servers.Close()
	}
	var err error
	if a.workspace != nil {
		err = a.workspace.Close()
	}
	_ = a.log.Sync() // stderr may be a terminal, which can't be synced
	return err
}

// cancelled reports whether the user stopped the program.
func cancelled(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }
