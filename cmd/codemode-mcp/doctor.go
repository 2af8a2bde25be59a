package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"codemode-mcp/internal/bridge"
	"codemode-mcp/internal/config"
)

// doctorTimeout bounds the wait for a first worker.
const doctorTimeout = 20 * time.Second

func doctorCommand(io streams, flags *config.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what was found: engine, sandbox, limits, workspace",
		Long:  "Tell what was found. The exit code is 1 when something needed is missing.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := newApp(*flags, io)
			if err != nil {
				return err
			}
			defer a.Close()
			a.openPool()
			w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
			fmt.Fprintf(w, "version\t%s\n", version())
			ok := diagnoseSandbox(cmd.Context(), a, func(name, value string) { fmt.Fprintf(w, "%s\t%s\n", name, value) })
			workspace := "none (serve needs --workspace DIR for file tools)"
			if a.workspace != nil {
				workspace = a.workspace.Root()
				if a.config.Writable {
					workspace += " (writable)"
				} else {
					workspace += " (read-only)"
				}
			}
			fmt.Fprintf(w, "workspace\t%s\n", workspace)
			fmt.Fprintf(w, "role\t%s\n", a.principal.Role)
			fmt.Fprintf(w, "tools\t%d\n", len(a.dispatch.Catalog().Visible(a.principal)))
			for _, row := range a.config.Limits.Rows() {
				fmt.Fprintf(w, "%s\t%s\n", row[0], row[1])
			}
			if err := w.Flush(); err != nil {
				return err
			}
			if !ok {
				return &exitError{exitFailed, errMissing}
			}
			return nil
		},
	}
	workspaceFlags(c, flags)
	return c
}

// diagnoseSandbox starts a worker and runs a script in it.
func diagnoseSandbox(ctx context.Context, a *app, say func(name, value string)) bool {
	if !a.config.Limits.Enabled {
		say("scripts", "disabled by CODE_MODE_ENABLED=false")
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	engine, layers, err := a.pool.Info(ctx)
	if err != nil {
		say("engine", "MISSING: "+err.Error())
		return false
	}
	say("engine", "V8 "+engine)
	say("sandbox", strings.Join(append([]string{"process"}, layers...), ", "))
	env := a.bridge.Run(ctx, bridge.Request{Principal: a.principal, ID: "doctor", Script: "return 6 * 7"})
	if string(env.Result) != "42" {
		say("scripts", "BROKEN: "+env.Message)
		return false
	}
	say("scripts", fmt.Sprintf("work (a run took %d ms)", env.ExecutionTimeMs))
	return true
}
