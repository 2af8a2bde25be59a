package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/sdkgen"
)

func toolsCommand(io streams, flags *config.Flags) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "tools",
		Short: "List the tools that the local user may call",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			return withApp(inCurrentFolder(*flags), io, func(a *app) error {
				return printTools(io, a.dispatch.Catalog().Visible(a.principal), asJSON)
			})
		},
	}
	workspaceFlags(c, flags)
	c.Flags().BoolVar(&asJSON, "json", false, "print names, roles and schemas as JSON")
	return c
}

// inCurrentFolder is for the commands of a terminal: their workspace is the
// current folder unless another is named.
func inCurrentFolder(flags config.Flags) config.Flags {
	if flags.Workspace == "" {
		flags.Workspace = "."
	}
	return flags
}

func printTools(io streams, tools []*catalog.Tool, asJSON bool) error {
	if asJSON {
		type row struct {
			Name         string          `json:"name"`
			Path         string          `json:"path"`
			Role         string          `json:"role"`
			Description  string          `json:"description"`
			InputSchema  json.RawMessage `json:"inputSchema"`
			OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
		}
		rows := []row{}
		for _, t := range tools {
			rows = append(rows, row{t.PublicName(), t.Path(), t.Role.String(), t.Description, t.InputSchema, t.OutputSchema})
		}
		enc := json.NewEncoder(io.out)
		enc.SetIndent("", "  ")
		return enc.Encode(rows)
	}
	w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	for _, t := range tools {
		fmt.Fprintf(w, "%s\t%s\t%s\n", t.Path(), t.Role, t.Title)
	}
	return w.Flush()
}

func sdkCommand(io streams, flags *config.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "sdk",
		Short: "Print the TypeScript declarations of what a script may call",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			return withApp(inCurrentFolder(*flags), io, func(a *app) error {
				_, err := fmt.Fprint(io.out, sdkgen.Declarations(a.dispatch.Catalog().Visible(a.principal), nil))
				return err
			})
		},
	}
	workspaceFlags(c, flags)
	return c
}
