package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"codemode-mcp/internal/config"
)

func configCommand(io streams, flags *config.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Look at a configuration file",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("config takes a command: config check FILE")
		},
	}
	check := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a configuration file and tell what each server would be; nothing is started",
		Long: `Check a configuration file and tell what each server would be; nothing is
started. The exit code is 1 when a server could not be started as the environment
is now, 2 when the file has a mistake.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("config check takes one file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			f := *flags
			f.File = args[0]
			return checkConfig(io, f)
		},
	}
	check.Flags().StringVar(&flags.Workspace, "workspace", "", "check as if `DIR` were the workspace")
	c.AddCommand(check)
	return c
}

func checkConfig(io streams, flags config.Flags) error {
	cfg, err := config.Load(flags)
	if err != nil {
		return err
	}
	broken := false
	w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	for _, s := range cfg.Servers {
		state := "would start, tools need the role " + s.Role.String()
		switch {
		case s.Disabled:
			state = "disabled"
		case s.OAuth != nil && s.Problem == "":
			state += ", logs in with the grant " + s.OAuth.Grant
		case s.Problem != "":
			broken = true
			state = "CAN'T START: " + s.Problem
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Transport(), s.Protocol, state)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, warning := range cfg.Warnings {
		fmt.Fprintln(io.out, "warning:", warning)
	}
	for _, note := range cfg.Notes {
		fmt.Fprintln(io.out, "note:", note)
	}
	if broken {
		return &exitError{exitFailed, errQuiet}
	}
	_, err = fmt.Fprintf(io.out, "%s is right; servers: %d\n", cfg.File, len(cfg.Servers))
	return err
}
