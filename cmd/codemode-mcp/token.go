package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"codemode-mcp/internal/auth"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
)

func tokenCommand(io streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "token",
		Short: "Make a token for the HTTP endpoint",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("token takes a command: token new --role ROLE")
		},
	}
	var role, name string
	fresh := &cobra.Command{
		Use:   "new",
		Short: "Make a token: it is printed once, with the line for the configuration, which holds only its digest",
		Example: `  codemode-mcp token new --role editor --name alice
  # put the printed line under "auth": {"tokens": [...]} of the config file`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			r, err := policy.ParseRole(role)
			if err != nil {
				return fmt.Errorf("--role: %w", err)
			}
			if name != "" {
				if err := config.CheckTokenName(name); err != nil {
					return fmt.Errorf("--name %w", err)
				}
			}
			return printToken(io, r, name)
		},
	}
	fresh.Flags().StringVar(&role, "role", "", "viewer, editor or admin (needed)")
	fresh.Flags().StringVar(&name, "name", "", "whose it is: tokens of one `NAME` share state and results (default: made up)")
	c.AddCommand(fresh)
	return c
}

func printToken(io streams, role policy.Role, name string) error {
	token, digest := auth.NewToken()
	if name == "" {
		name = role.String() + "-" + digest[:8]
	}
	line, err := json.Marshal(map[string]string{"name": name, "role": role.String(), "sha256": digest})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(io.out, "Token, shown once: give it to the client as \"Authorization: Bearer TOKEN\"\n%s\n\nLine for \"auth\": {\"tokens\": [...]} of the config file:\n%s\n", token, line)
	return err
}
