package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/exp/zapslog"

	"codemode-mcp/internal/config"
	"codemode-mcp/internal/discover"
	"codemode-mcp/internal/server"
)

// noWorkspaceHint is told to models when no workspace is open.
const noWorkspaceHint = "No workspace is open, so there are no file tools: the user can add --workspace DIR to this server's arguments in the client's configuration."

func serveCommand(io streams, flags *config.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP over stdio (the default), or over HTTP with --http",
		Example: `  codemode-mcp serve --workspace .
  codemode-mcp serve --http 127.0.0.1:8080 --workspace . --config team.json
  codemode-mcp serve --http unix:/run/codemode/mcp.sock --config team.json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.Watch && flags.File == "" {
				return errors.New("--watch needs --config FILE: that is what it watches")
			}
			return withApp(*flags, io, func(a *app) error { return serve(cmd.Context(), io, a) })
		},
	}
	serveFlags(c, flags)
	return c
}

// serveFlags adds the flags of serve, which the program takes without a command too.
func serveFlags(c *cobra.Command, flags *config.Flags) {
	workspaceFlags(c, flags)
	c.Flags().StringVar(&flags.Expose, "expose", "", "list to clients: auto, code, both or tools (default auto)")
	c.Flags().StringVar(&flags.HTTP, "http", "", "serve streamable HTTP at `ADDR`: HOST:PORT, unix:PATH, or systemd for a passed socket")
	c.Flags().StringVar(&flags.Metrics, "metrics", "", "serve /metrics, /healthz and /readyz at `ADDR` (HOST:PORT), for the operator only")
	c.Flags().StringVar(&flags.Cert, "tls-cert", "", "serve HTTPS with the certificate in `FILE`; it is read again when it changes")
	c.Flags().StringVar(&flags.Key, "tls-key", "", "the certificate's key, a `FILE`")
	c.Flags().BoolVar(&flags.InsecureNoAuth, "insecure-no-auth", false, "listen beyond this machine although nobody is asked who they are")
	c.Flags().BoolVar(&flags.Watch, "watch", false, "take limits, roles and disabled servers from the config file when it changes")
}

// serve serves over stdio or HTTP until it is told to end.
func serve(ctx context.Context, io streams, a *app) error {
	defer ballast()()
	a.openPool()
	log := slog.New(zapslog.NewHandler(a.log.Core(), zapslog.AddStacktraceAt(slog.LevelError+1))) // where a stack helps, it is an attribute
	opts := server.Options{
		Version:   version(),
		Dispatch:  a.dispatch,
		Limits:    a.config.Limits,
		Principal: a.principal,
		Exposure:  discover.Exposure{Mode: a.config.Expose, Resident: a.config.ResidentTools},
		Log:       log,
	}
	if a.config.Limits.Enabled {
		opts.Bridge = a.bridge
	}
	if a.workspace == nil {
		opts.Hint = noWorkspaceHint
	}
	if a.servers != nil {
		opts.Settled = a.servers.Settled
	}
	if a.config.HTTP.Addr != "" {
		return serveHTTP(a, opts, log)
	}
	if f := a.flags; f.Metrics+f.Cert+f.Key != "" || f.InsecureNoAuth {
		return errors.New("--metrics, --tls-cert, --tls-key and --insecure-no-auth are for --http")
	}
	a.log.Info("serving over stdio", zap.String("version", version()), zap.Stringer("role", a.principal.Role), zap.String("workspace", a.config.Workspace))
	srv := server.New(opts)
	a.server = srv
	a.openServers()
	stop, err := a.watchIfAsked()
	if err != nil {
		return err
	}
	defer stop()
	if err := srv.ServeStdio(ctx, io.in, io.out); err != nil && !cancelled(ctx) {
		return &exitError{exitFailed, fmt.Errorf("serve: %w", err)}
	}
	return nil
}

// watchIfAsked follows the config file when --watch says so.
func (a *app) watchIfAsked() (stop func(), err error) {
	if !a.flags.Watch {
		return func() {}, nil
	}
	if stop, err = a.watch(); err != nil {
		return nil, &exitError{exitFailed, fmt.Errorf("watch %s: %w", a.config.File, err)}
	}
	return stop, nil
}

var errMissing = errors.New("something needed is missing")
