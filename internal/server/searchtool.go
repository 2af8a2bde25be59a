package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/discover"
)

// searchTool is the tool that finds tools.
const searchTool = "search_tools"

// searchDescription is its text for the model.
const searchDescription = `Find tools by what they do, best first. Call what is found in execute_script as shown, or directly by its name.
query: words; "+part words" for names that hold part; "select:a,b" for exactly these; empty with a server: all of its tools; empty alone: the servers.
detail "full": TypeScript declarations with docs (with a server and no query, page by page, its whole sdk.d.ts; alone: what else a script sees).`

var searchSchema = `{"type":"object","properties":{` +
	`"query":{"type":"string"},` +
	`"detail":{"type":"string","enum":["` + strings.Join(discover.Details, `","`) + `"]},` +
	fmt.Sprintf(`"limit":{"type":"integer","minimum":1,"maximum":%d},`, discover.MaxPage) +
	`"server":{"type":"string"},` +
	`"cursor":{"type":"string"}`

func (s *Server) addSearch() {
	no, input := false, searchSchema
	if s.opts.Handles {
		input += `,"session":{"type":"string"}` // whose learned types are shown
	}
	s.mcp.AddTool(&mcp.Tool{
		Name:        searchTool,
		Title:       "Search tools",
		Description: searchDescription,
		InputSchema: json.RawMessage(input + `},"additionalProperties":false}`),
		Annotations: &mcp.ToolAnnotations{Title: "Search tools", ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no},
	}, s.search)
}

func (s *Server) search(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ask, handle, err := parseAsk(req.Params.Arguments)
	if err != nil {
		return errorResult(err), nil
	}
	v := s.view(req)
	if handle != "" { // a handle that is unknown has learned nothing
		v.Learned = s.opts.Bridge.LearnedBy(v.Principal.ID, handle)
	}
	text, err := v.Search(ask)
	var wrong *discover.AskError
	if errors.As(err, &wrong) {
		return errorResult(err), nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, err
}

// parseAsk reads the arguments, with the slips that models make in them.
func parseAsk(raw json.RawMessage) (a discover.Ask, handle string, err error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return a, handle, nil
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return a, handle, errors.New("the arguments must be an object, such as {\"query\": \"create pull request\"}")
	}
	texts := map[string]*string{"query": &a.Query, "detail": &a.Detail, "server": &a.Server, "cursor": &a.Cursor, "session": &handle}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		value := args[name]
		if kindOf(value) == "null" {
			continue
		}
		switch to := texts[name]; {
		case to != nil:
			if json.Unmarshal(value, to) != nil {
				return a, handle, fmt.Errorf("%s must be a string, got %s", name, kindOf(value))
			}
		case name == "limit":
			var n float64
			if json.Unmarshal(value, &n) != nil || n != float64(int(n)) || n < 1 {
				return a, handle, fmt.Errorf("limit must be a whole number from 1, got %.40s", value)
			}
			a.Limit = int(min(n, discover.MaxPage))
		default:
			known := append(slices.Sorted(maps.Keys(texts)), "limit")
			msg := fmt.Sprintf("unknown argument %.60q.", name)
			if near := catalog.Nearest(name, known); len(near) > 0 {
				msg = fmt.Sprintf("unknown argument %.60q: did you mean %q?", name, near[0])
			}
			return a, handle, fmt.Errorf("%s It is called as search_tools({ query?: string; detail?: %s; limit?: number; server?: string; cursor?: string })",
				msg, `"`+strings.Join(discover.Details, `" | "`)+`"`)
		}
	}
	return a, handle, nil
}
