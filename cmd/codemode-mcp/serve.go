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
			return withApp(*flags, io, func(a *app) error { return serveStdio(cmd.Context(), io, a) })
		},
	}
	workspaceFlags(c, flags)
	return c
}

func serveStdio(ctx context.Context, io streams, a *app) error {
	a.openPool()
	opts := server.Options{
		Version:   version(),
		Dispatch:  a.dispatch,
		Limits:    a.config.Limits,
		Principal: a.principal,
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
	a.refresh = srv.Refresh
	a.openServers()
	if err := srv.ServeStdio(ctx, io.in, io.out); err != nil && !cancelled(ctx) {
		return &exitError{exitFailed, fmt.Errorf("serve: %w", err)}
	}
	return nil
}

var errMissing = errors.New("something needed is missing")
