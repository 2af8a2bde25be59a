package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode"

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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withApp(quiet(inCurrentFolder(*flags)), io, func(a *app) error {
				a.settleServers(cmd.Context())
				a.reportServers(io.err)
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

// quiet keeps the log out of what a terminal shows, unless it is asked for.
func quiet(flags config.Flags) config.Flags {
	if flags.LogLevel == "" {
		flags.LogLevel = "warn"
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
		title := t.Title
		if title == "" { // many servers give none
			title = firstSentence(t.Description)
		}
		if t.Stale {
			title = strings.TrimSpace(title + " (stale: the server is down)")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", t.Path(), t.Role, title)
	}
	return w.Flush()
}

func sdkCommand(io streams, flags *config.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "sdk",
		Short: "Print the TypeScript declarations of what a script may call",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withApp(quiet(inCurrentFolder(*flags)), io, func(a *app) error {
				a.settleServers(cmd.Context())
				a.reportServers(io.err)
				_, err := fmt.Fprint(io.out, sdkgen.Declarations(a.dispatch.Catalog().Visible(a.principal), nil))
				return err
			})
		},
	}
	workspaceFlags(c, flags)
	return c
}

// firstSentence is the beginning of a description, as one line of a terminal.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.Index(text, ". "); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimSuffix(text, ".")
	const most = 100
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-1]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
