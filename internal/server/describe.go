package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/sdkgen"
)

// sdkURI is where the declarations are.
const sdkURI = "codemode://code-mode/sdk.d.ts"

// maxText is how long a description and the instructions may be, in bytes:
// clients cut both at 2,048 characters.
const maxText = 2048

// description is execute_script's text for the model. The essentials come first.
func (s *Server) description(p policy.Principal) string {
	l := s.limits()
	var b strings.Builder
	fmt.Fprintf(&b, `Run one JavaScript or TypeScript program that calls tools; only what it returns comes back. Use it when a task takes several tool calls, loops, filtering or joining.
- The script is the body of an async function: use await, and return the result (JSON).
- Call tools as await tools.<name>({...}), tools.<server>.<name>({...}) or tools["any-name"]({...}). tools exists only inside the script.
- Results are parsed values. A tool error throws an Error that you can catch.
- Independent calls: await Promise.all([...]) runs them in parallel.
- args is the input object. console.log(...) goes to logs. state lasts from run to run.
- Nothing else is there: no require, import, fetch, process, file system or network.
- Limits: %d s, %d tool calls, %d MB of memory, a result of %d characters. Return only what you need.
`, l.TimeoutSeconds, l.MaxToolCalls, l.MaxMemoryMB, l.MaxResultChars)
	fmt.Fprintf(&b, "Types of all tools: resource %s.\n", sdkURI)
	s.addSignatures(&b, p)
	return b.String()
}

// addSignatures fills what is left of the text with signatures.
func (s *Server) addSignatures(b *strings.Builder, p policy.Principal) {
	tools := s.opts.Dispatch.Catalog().Visible(p)
	if len(tools) == 0 {
		b.WriteString("No tools are available to scripts.")
		if s.opts.Hint != "" {
			b.WriteString(" " + s.opts.Hint)
		}
		return
	}
	const marker = "Tools (some are left out; see the resource):\n"
	servers := serverLine(tools)
	var lines []string
	left := maxText - b.Len() - len(marker) - len(servers)
	for _, t := range builtinFirst(tools) {
		line := scriptPath(t) + "\n"
		if len(line) > left {
			break
		}
		left -= len(line)
		lines = append(lines, line)
	}
	if len(lines) == len(tools) {
		b.WriteString("Tools (all):\n")
	} else {
		b.WriteString(servers + marker)
	}
	b.WriteString(strings.TrimRight(strings.Join(lines, ""), "\n"))
}

// builtinFirst puts the workspace's tools before those of other servers.
func builtinFirst(tools []*catalog.Tool) []*catalog.Tool {
	return slices.SortedStableFunc(slices.Values(tools), func(a, b *catalog.Tool) int {
		return order(a) - order(b)
	})
}

func order(t *catalog.Tool) int {
	if t.Server == catalog.Workspace {
		return 0
	}
	return 1
}

// scriptPath is a tool's signature as a script would write the call.
func scriptPath(t *catalog.Tool) string {
	path := "tools"
	if t.Server != catalog.Workspace {
		path += "." + t.ServerIdent()
	}
	signature := sdkgen.Signature(t, 120)
	if !strings.HasPrefix(signature, "[") {
		path += "."
	}
	return path + signature
}

// maxServerLine bounds the line that names the servers, in bytes.
const maxServerLine = 300

// serverLine says which servers there are besides the workspace.
func serverLine(tools []*catalog.Tool) string {
	counts := map[string]int{}
	var names []string
	for _, t := range tools {
		if t.Server == catalog.Workspace {
			continue
		}
		if counts[t.ServerIdent()]++; counts[t.ServerIdent()] == 1 {
			names = append(names, t.ServerIdent())
		}
	}
	if len(names) == 0 {
		return ""
	}
	line := "Servers:"
	for i, name := range names {
		next := fmt.Sprintf(" %s (%d tools)", name, counts[name])
		if len(line)+len(next) > maxServerLine {
			line += fmt.Sprintf(" and %d more", len(names)-i)
			break
		}
		line += next
	}
	return line + "\n"
}

func (s *Server) instructions() string {
	var b strings.Builder
	if s.opts.Bridge != nil {
		b.WriteString("For any task of more than one tool call, write one program and run it with execute_script: it calls these same tools as await tools.<name>({...}), and only its result comes back. Types: resource " + sdkURI + ".")
	}
	if s.opts.Hint != "" {
		b.WriteString(" " + s.opts.Hint)
	}
	return strings.TrimSpace(b.String())
}

func (s *Server) addResource() {
	s.mcp.AddResource(&mcp.Resource{
		URI:         sdkURI,
		Name:        "sdk.d.ts",
		Title:       "Types of what a script may call",
		Description: "TypeScript declarations of every tool that execute_script's scripts may call.",
		MIMEType:    "text/typescript",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
			URI: sdkURI, MIMEType: "text/typescript", Text: s.declarations(s.principal(req)),
		}}}, nil
	})
}

func (s *Server) declarations(p policy.Principal) string {
	return sdkgen.Declarations(s.opts.Dispatch.Catalog().Visible(p), nil)
}

func (s *Server) addPrompt() {
	s.mcp.AddPrompt(&mcp.Prompt{
		Name:        "code-mode",
		Title:       "Solve a task with one script",
		Description: "Tells the model how to solve a task with execute_script, with the types of the tools.",
		Arguments:   []*mcp.PromptArgument{{Name: "task", Description: "what to do", Required: true}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		p := s.principal(req)
		text := fmt.Sprintf("%s\n\n```typescript\n%s```\n\nTask: %s", s.descriptionFor(p), s.declarations(p), req.Params.Arguments["task"])
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
	})
}
