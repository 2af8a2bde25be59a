// Command codemode-mcp is an MCP server that joins a user's tools and runs
// scripts over them.
//
// Each subcommand has its own file. This one only decides which runs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"codemode-mcp/internal/config"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the script failed, or something needed is missing
	exitUsage  = 2 // wrong flags, arguments or configuration
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == workerCommand {
		os.Exit(runWorker(os.Args[2:], os.Stderr))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are the process's own, injected so that tests can look at them.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// exitError is an error that already said what it had to, or whose code is not
// that of a usage error.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// errQuiet marks a failure that the output already tells.
var errQuiet = errors.New("failed")

func run(ctx context.Context, args []string, io streams) int {
	root := rootCommand(io)
	root.SetArgs(args)
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var exit *exitError
	code := exitUsage
	if errors.As(err, &exit) {
		code = exit.code
	}
	if !errors.Is(err, errQuiet) {
		fmt.Fprintln(io.err, "Error:", err)
		if code == exitUsage && exit == nil {
			fmt.Fprintln(io.err, "Try: codemode-mcp --help")
		}
	}
	return code
}

func rootCommand(io streams) *cobra.Command {
	flags := &config.Flags{}
	serve := serveCommand(io, flags)
	root := &cobra.Command{
		Use:   "codemode-mcp",
		Short: "An MCP server that runs scripts over all your tools",
		Long: `codemode-mcp is an MCP server over stdio or streamable HTTP. It offers the tools of a workspace folder
and execute_script: one JavaScript program calls many tools in one turn, in a
locked-down process of its own, and only its result comes back.

Without a command it serves over stdio, as MCP clients start it.`,
		Args:          noArgs,
		RunE:          serve.RunE,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.PersistentFlags().StringVar(&flags.File, "config", "", "read settings and mcpServers from `FILE` (JSON)")
	root.PersistentFlags().StringVar(&flags.LogLevel, "log-level", "", "debug, info, warn or error (default info)")
	root.PersistentFlags().StringVar(&flags.LogFormat, "log-format", "", "console or json (default console)")
	serveFlags(root, flags)
	root.AddCommand(serve, runCommand(io, flags), toolsCommand(io, flags), configCommand(io, flags), loginCommand(io, flags), logoutCommand(io, flags), sdkCommand(io, flags),
		doctorCommand(io, flags), tokenCommand(io), versionCommand(io))
	return root
}

func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q is not a command and no arguments are taken", args[0])
	}
	return nil
}

// workspaceFlags adds the flags of the commands that open a workspace.
func workspaceFlags(c *cobra.Command, flags *config.Flags) {
	c.Flags().StringVar(&flags.Workspace, "workspace", "", "offer the files of `DIR` as tools")
	c.Flags().BoolVar(&flags.Writable, "writable", false, "let the workspace tools change files")
}
