package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"codemode-mcp/internal/bridge"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/schema"
)

// doctorTimeout bounds the wait for a first worker.
const doctorTimeout = 20 * time.Second

func doctorCommand(io streams, flags *config.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what was found: engine, sandbox, servers, limits, workspace",
		Long:  "Tell what was found. The exit code is 1 when something needed is missing.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.LogLevel == "" {
				flags.LogLevel = "warn" // what it finds goes to the answer
			}
			return withApp(*flags, io, func(a *app) error { return diagnose(cmd.Context(), io, a) })
		},
	}
	workspaceFlags(c, flags)
	return c
}

func diagnose(ctx context.Context, io streams, a *app) error {
	a.openPool()
	w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	say := func(name, value string) { fmt.Fprintf(w, "%s\t%s\n", name, value) }
	say("version", version())
	ok := diagnoseSandbox(ctx, a, say)
	workspace := "none (serve needs --workspace DIR for file tools)"
	if a.workspace != nil {
		workspace = a.workspace.Root() + map[bool]string{false: " (read-only)", true: " (writable)"}[a.config.Writable]
	}
	say("workspace", workspace)
	say("role", a.principal.Role.String())
	ok = diagnoseServers(ctx, a, say) && ok
	say("tools", strconv.Itoa(len(a.dispatch.Catalog().Visible(a.principal))))
	for _, row := range a.config.Limits.Rows() {
		say(row[0], row[1])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !ok {
		return &exitError{exitFailed, errMissing}
	}
	return nil
}

// diagnoseServers starts the upstream servers and tells how each is, and which of
// their tools have schemas that can't be used to check arguments.
func diagnoseServers(ctx context.Context, a *app, say func(name, value string)) bool {
	if a.servers == nil {
		return true
	}
	a.settleServers(ctx)
	ok := true
	for _, s := range a.servers.Status() {
		text := fmt.Sprintf("%s, %d tools, %s", s.State, s.Tools, s.Transport)
		if s.Protocol != "" {
			text += ", revision " + s.Protocol
		}
		if s.Reason != "" {
			text += ": " + s.Reason
		}
		ok = ok && (s.State == "ready" || s.State == "disabled")
		say("server "+s.Name, text)
		for _, warning := range s.Warnings {
			say("server "+s.Name, "warning: "+warning)
		}
	}
	for _, t := range a.dispatch.Catalog().Visible(a.principal) {
		if _, err := schema.Compile(t.InputSchema); err != nil {
			say("tool "+t.Path(), "warning: its arguments are not checked here: "+err.Error())
		}
	}
	return ok
}

// diagnoseSandbox starts a worker and runs a script in it.
func diagnoseSandbox(ctx context.Context, a *app, say func(name, value string)) bool {
	if !a.config.Limits.Enabled {
		say("scripts", "disabled by CODE_MODE_ENABLED=false")
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	info, err := a.pool.Info(ctx)
	if err != nil {
		say("engine", "MISSING: "+err.Error())
		return false
	}
	say("engine", "V8 "+info.Engine)
	say("sandbox", strings.Join(append([]string{"process"}, info.Layers...), ", "))
	for _, missing := range info.Missing {
		say("sandbox", "not in force: "+missing)
	}
	env := a.bridge.Run(ctx, bridge.Request{Principal: a.principal, ID: "doctor", Script: "return 6 * 7"})
	if string(env.Result) != "42" {
		say("scripts", "BROKEN: "+env.Message)
		return false
	}
	say("scripts", fmt.Sprintf("work (a run took %d ms)", env.ExecutionTimeMs))
	return true
}
