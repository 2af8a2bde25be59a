package server

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/discover"
)

const promptName = "code-mode"

func (s *Server) addPrompt() {
	s.mcp.AddPrompt(&mcp.Prompt{
		Name:        promptName,
		Title:       "Solve a task with one script",
		Description: "Tells a model how to solve a task with execute_script: the contract, what a script sees, and the tools that fit.",
		Arguments: []*mcp.PromptArgument{
			{Name: "task", Description: "what to do", Required: true},
			{Name: "servers", Description: "only tools of these servers, separated by commas"},
		},
	}, s.prompt)
}

// prompt answers prompts/get. The SDK does not look at the arguments.
func (s *Server) prompt(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args := req.Params.Arguments
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if name != "task" && name != "servers" {
			return nil, invalid("unknown argument %.60q: the prompt takes task and servers", name)
		}
	}
	task := strings.TrimSpace(args["task"])
	if task == "" {
		return nil, invalid(`missing argument "task": what is to be done`)
	}
	text, err := s.view(req).Prompt(task, splitList(args["servers"]), s.facts())
	if err != nil {
		return nil, invalid("%s", err)
	}
	return &mcp.GetPromptResult{
		Description: "Solve a task with one script",
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
	}, nil
}

func (s *Server) facts() discover.Facts {
	return discover.Facts{Limits: s.limits(), Hint: s.opts.Hint, Scripts: true}
}

func splitList(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func invalid(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
