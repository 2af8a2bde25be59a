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
		Short: "Serve MCP over stdio (the default)",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.Watch && flags.File == "" {
				return errors.New("--watch needs --config FILE: that is what it watches")
			}
			return withApp(*flags, io, func(a *app) error { return serveStdio(cmd.Context(), io, a) })
		},
	}
	serveFlags(c, flags)
	return c
}

// serveFlags adds the flags of serve, which the program takes without a command too.
func serveFlags(c *cobra.Command, flags *config.Flags) {
	workspaceFlags(c, flags)
	c.Flags().StringVar(&flags.Expose, "expose", "", "list to clients: auto, code, both or tools (default auto)")
	c.Flags().BoolVar(&flags.Watch, "watch", false, "take limits, roles and disabled servers from the config file when it changes")
}

func serveStdio(ctx context.Context, io streams, a *app) error {
	a.openPool()
	opts := server.Options{
		Version:   version(),
		Dispatch:  a.dispatch,
		Limits:    a.config.Limits,
		Principal: a.principal,
		Exposure:  discover.Exposure{Mode: a.config.Expose, Resident: a.config.ResidentTools},
		Log:       slog.New(zapslog.NewHandler(a.log.Core())),
	}
	if a.config.Limits.Enabled {
		opts.Bridge = a.bridge
	}
	if a.workspace == nil {
		opts.Hint = noWorkspaceHint
	}
	a.log.Info("serving over stdio", zap.String("version", version()), zap.Stringer("role", a.principal.Role), zap.String("workspace", a.config.Workspace))
	if a.servers != nil {
		opts.Settled = a.servers.Settled
	}
	srv := server.New(opts)
	a.server = srv
	a.openServers()
	if a.flags.Watch {
		stop, err := a.watch()
		if err != nil {
			return &exitError{exitFailed, fmt.Errorf("watch %s: %w", a.config.File, err)}
		}
		defer stop()
	}
	if err := srv.ServeStdio(ctx, io.in, io.out); err != nil && !cancelled(ctx) {
		return &exitError{exitFailed, fmt.Errorf("serve: %w", err)}
	}
	return nil
}

var errMissing = errors.New("something needed is missing")
