package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"codemode-mcp/internal/bridge"
	"codemode-mcp/internal/config"
)

func runCommand(io streams, flags *config.Flags) *cobra.Command {
	var args string
	c := &cobra.Command{
		Use:   "run FILE|-",
		Short: "Run one script against the tools and print the envelope as JSON",
		Long: `Run one script against the same tools that serve offers. The workspace is the
current folder unless --workspace names another. The exit code is 0 when the
script succeeded, 1 when it failed, 2 on wrong usage.`,
		Example: `  codemode-mcp run examples/who-calls.js --args '{"method":"Close"}'
  echo 'return (await tools.glob({pattern: "**/*.go"})).paths.length' | codemode-mcp run -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("run takes one script: a file's name, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return runScript(cmd, io, *flags, files[0], args)
		},
	}
	workspaceFlags(c, flags)
	c.Flags().StringVar(&args, "args", "", "the script's input, a `JSON` object")
	c.Flags().StringVar(&flags.Role, "role", "", "call the tools as viewer, editor or admin (default admin)")
	return c
}

func runScript(cmd *cobra.Command, io streams, flags config.Flags, file, args string) error {
	source, err := readScript(io.in, file)
	if err != nil {
		return err
	}
	var input json.RawMessage
	if args != "" {
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(args), &object); err != nil || object == nil {
			return fmt.Errorf("--args must be a JSON object, such as '{\"method\":\"Close\"}'")
		}
		input = json.RawMessage(args)
	}
	if flags.LogLevel == "" {
		flags.LogLevel = "warn" // a terminal shows the envelope; --log-level info shows the calls
	}
	return withApp(inCurrentFolder(flags), io, func(a *app) error {
		return printRun(cmd.Context(), io, a, source, input)
	})
}

func printRun(ctx context.Context, io streams, a *app, source string, input json.RawMessage) error {
	if !a.config.Limits.Enabled {
		return &exitError{exitFailed, errors.New("scripts are disabled by CODE_MODE_ENABLED=false")}
	}
	a.openPool()
	a.openServers()
	env := a.bridge.Run(ctx, bridge.Request{Principal: a.principal, ID: "run", Script: source, Args: input})
	enc := json.NewEncoder(io.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(env); err != nil {
		return &exitError{exitFailed, fmt.Errorf("print envelope: %w", err)}
	}
	if env.Failed() {
		return &exitError{exitFailed, errQuiet}
	}
	return nil
}

// maxScriptFile bounds what is read of a script: the limit proper is checked by
// the bridge, which says it better.
const maxScriptFile = 16 << 20

func readScript(stdin io.Reader, file string) (string, error) {
	r := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		r = f
	}
	b, err := io.ReadAll(io.LimitReader(r, maxScriptFile))
	if err != nil {
		return "", fmt.Errorf("read script: %w", err)
	}
	return string(b), nil
}
