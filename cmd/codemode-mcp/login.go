package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/tokens"
	"codemode-mcp/internal/upstream"
)

// loginTimeout is how long a person has to log in, unless they say otherwise.
const loginTimeout = 5 * time.Minute

func loginCommand(io streams, flags *config.Flags) *cobra.Command {
	var noBrowser bool
	timeout := loginTimeout
	c := &cobra.Command{
		Use:   "login SERVER",
		Short: "Log in to a server of the configuration with a browser",
		Long: `Log in to a server of the configuration that is reached over HTTP and wants a
login (OAuth). The browser opens, and comes back to a port of this machine. What
it brings is kept in a file that only you can read, and is renewed by itself; a
server that runs takes it up within a second. Elsewhere than on this machine,
open the printed address in a browser that can reach its ports (ssh -L).`,
		Example: "  codemode-mcp login github --config ~/mcp.json",
		Args:    oneServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, s, err := loginServer(*flags, args[0])
			if err != nil {
				return err
			}
			if s.Problem != "" {
				return &exitError{exitFailed, fmt.Errorf("the server %s can't be reached: %s", s.Name, s.Problem)}
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
			defer cancel()
			store := tokens.New(cfg.TokenDir)
			err = upstream.Login(ctx, upstream.LoginOptions{Server: *s, Tokens: store, Version: version(), Show: func(address string) {
				fmt.Fprintf(io.err, "Log in to %s with a browser on this machine:\n\n  %s\n\n", s.Name, address)
				if !noBrowser {
					openBrowser(address)
				}
			}})
			if err != nil {
				return &exitError{exitFailed, fmt.Errorf("log in to %s: %w", s.Name, err)}
			}
			n, err := upstream.Try(ctx, *s, store, version())
			if err != nil {
				return &exitError{exitFailed, fmt.Errorf("the login is kept, but the server does not work with it: %w", err)}
			}
			_, err = fmt.Fprintf(io.out, "logged in to %s, which has %d tools\n", s.Name, n)
			return err
		},
	}
	c.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address")
	c.Flags().DurationVar(&timeout, "timeout", loginTimeout, "how long to wait for the login")
	return c
}

func logoutCommand(io streams, flags *config.Flags) *cobra.Command {
	return &cobra.Command{
		Use:   "logout SERVER",
		Short: "Forget the login to a server",
		Args:  oneServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, s, err := loginServer(*flags, args[0])
			if err != nil {
				return err
			}
			was := false
			err = tokens.New(cfg.TokenDir).Update(cmd.Context(), tokens.Key(s.URL, s.Digest), func(e *tokens.Entry) (*tokens.Entry, error) {
				was = e != nil
				return nil, nil
			})
			if err != nil {
				return &exitError{exitFailed, err}
			}
			text := "logged out of %s: the login is forgotten here\n"
			if !was {
				text = "there was no login to %s\n"
			}
			_, err = fmt.Fprintf(io.out, text, s.Name)
			return err
		},
	}
}

func oneServer(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("it takes one server: a name under mcpServers of the config file")
	}
	return nil
}

// loginServer finds a server that one can log in to.
func loginServer(flags config.Flags, name string) (*config.Config, *config.Server, error) {
	if flags.File == "" {
		return nil, nil, errors.New("--config FILE is missing: the server is one of its mcpServers")
	}
	cfg, err := config.Load(flags)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for i := range cfg.Servers {
		s := &cfg.Servers[i]
		names = append(names, s.Name)
		if s.Name != name && s.Key != name {
			continue
		}
		switch {
		case s.URL == "":
			return nil, nil, fmt.Errorf("the server %s is a command and has no login here", name)
		case !s.LogsIn():
			return nil, nil, fmt.Errorf("the server %s has an Authorization header in the configuration and needs no login", name)
		case s.OAuth != nil && s.OAuth.Grant == config.CredentialsGrant:
			return nil, nil, fmt.Errorf("the server %s logs in by itself, with the client credentials of the configuration", name)
		}
		return cfg, s, nil
	}
	if near := catalog.Nearest(name, names); len(near) > 0 {
		return nil, nil, fmt.Errorf("no server is named %q: did you mean %q?", name, near[0])
	}
	return nil, nil, fmt.Errorf("no server is named %q", name)
}

// openBrowser tries to; the address is printed in any case.
func openBrowser(address string) {
	program := "xdg-open"
	if runtime.GOOS == "darwin" {
		program = "open"
	}
	cmd := exec.Command(program, address)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // it may stay as long as the browser does
	}
}
