package discover

import (
	"fmt"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/sdkgen"
)

const (
	// promptTools is how many tools a prompt shows at most, and promptRoom how many
	// bytes of signatures.
	promptTools = 40
	promptRoom  = 8000
)

// Prompt tells a model that knows nothing of this server how to do a task with one
// script: the contract, what a script sees, and the signatures that fit.
func (v View) Prompt(task string, servers []string, f Facts) (string, error) {
	for _, s := range servers {
		if err := v.check(&Ask{Server: s}); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	b.WriteString("Solve the task below with the tool execute_script.\n\n" + contract)
	l := f.Limits
	fmt.Fprintf(&b, "- Limits: %d s, %d tool calls, %d MB, result %d characters. Return only what is needed.\n", l.TimeoutSeconds, l.MaxToolCalls, l.MaxMemoryMB, l.MaxResultChars)
	b.WriteString("- If a shape is not known, look at one result first: return a small part of it.\n\n")
	fitting, all := v.fitting(task, servers)
	switch {
	case all == 0:
		b.WriteString("No tools are available to scripts. " + f.Hint + "\n\n")
	case len(fitting) == all:
		fmt.Fprintf(&b, "All %d tools:\n\n%s\n", all, v.list(fitting))
	default:
		fmt.Fprintf(&b, "Of %d tools, those that may fit (search_tools finds others, and gives full types with detail \"full\"):\n\n%s\n", all, v.list(fitting))
	}
	b.WriteString("What a script sees besides:\n\n```typescript\n" + strings.TrimRight(sdkgen.DefaultSurface, "\n") + "\n```\n\n")
	b.WriteString("Task: " + task + "\n")
	return b.String(), nil
}

// fitting are the tools that a task may need, best first, and how many there are.
func (v View) fitting(task string, servers []string) (tools []*catalog.Tool, all int) {
	of := func(t *catalog.Tool) bool {
		for _, s := range servers {
			if t.Of(s) {
				return true
			}
		}
		return len(servers) == 0
	}
	seen := map[*catalog.Tool]bool{}
	add := func(list []*catalog.Tool) {
		for _, t := range list {
			if of(t) && !seen[t] && len(tools) < promptTools {
				seen[t] = true
				tools = append(tools, t)
			}
		}
	}
	visible := v.Catalog.Visible(v.Principal)
	for _, t := range visible {
		if of(t) {
			all++
		}
	}
	add(v.Catalog.Search(v.Principal, catalog.Query{Text: task}))
	if all <= promptTools || len(tools) == 0 {
		add(visible)
	}
	return tools, all
}

// list gives signatures with a sentence each, as many as there is room for.
func (v View) list(list []*catalog.Tool) string {
	var b strings.Builder
	for i, t := range list {
		text := v.entry(t, Signatures)
		if b.Len()+len(text) > promptRoom {
			fmt.Fprintf(&b, "and %d more\n", len(list)-i)
			break
		}
		b.WriteString(text)
	}
	return b.String()
}
