package fault

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// playAsks is a healthy server of the SDK that asks the human, or the model, behind
// its caller: in both eras of the protocol.
func playAsks() {
	s := mcp.NewServer(&mcp.Implementation{Name: "asks", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: json.RawMessage(`{"type":"object"}`)}, ask)
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// ask asks what its arguments say, as many times as they say, and gives the answers.
func ask(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Kind, Message string
		Times         int
	}
	if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
		return nil, err
	}
	question := func() mcp.InputRequest {
		switch args.Kind {
		case "url":
			return &mcp.ElicitParams{Mode: "url", URL: args.Message, ElicitationID: "1", Message: "please"}
		case "model":
			return &mcp.CreateMessageWithToolsParams{MaxTokens: 10, Messages: []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{&mcp.TextContent{Text: "hi"}}}}}
		}
		return &mcp.ElicitParams{Message: args.Message, RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)}
	}
	text := func(lines []string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Join(lines, "; ")}}}
	}
	var said []string
	if req.ProtocolVersion() >= "2026-07-28" {
		json.Unmarshal([]byte(req.Params.RequestState), &said)
		for _, r := range req.Params.InputResponses {
			said = append(said, words(r))
		}
		if len(said) >= max(args.Times, 1) {
			return text(said), nil
		}
		state, _ := json.Marshal(said)
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": question()}, RequestState: string(state)}, nil
	}
	for range max(args.Times, 1) {
		var res mcp.InputResponse
		var err error
		switch q := question().(type) {
		case *mcp.ElicitParams:
			res, err = req.Session.Elicit(ctx, q)
		case *mcp.CreateMessageWithToolsParams:
			res, err = req.Session.CreateMessageWithTools(ctx, q)
		}
		if err != nil {
			return nil, err
		}
		said = append(said, words(res))
	}
	return text(said), nil
}

func words(r mcp.InputResponse) string {
	switch r := r.(type) {
	case *mcp.ElicitResult:
		return strings.TrimSpace(fmt.Sprint(r.Action, " ", r.Content["name"]))
	case *mcp.CreateMessageWithToolsResult:
		return "model " + r.Model
	}
	return fmt.Sprintf("%T", r)
}
