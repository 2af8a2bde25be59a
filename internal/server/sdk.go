package server

import (
	"context"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/discover"
)

const typescript = "text/typescript"

// addDeclarations serves the types of what a script may call: of all servers, and
// of each.
func (s *Server) addDeclarations() {
	s.mcp.AddResource(&mcp.Resource{
		URI:         discover.SDKURI,
		Name:        "sdk.d.ts",
		Title:       "Types of what a script may call",
		Description: "TypeScript declarations of every tool that execute_script's scripts may call, and of all else they see.",
		MIMEType:    typescript,
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return declarations(discover.SDKURI, s.view(req).Declarations()), nil
	})
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: discover.ServerURI,
		Name:        "server-sdk.d.ts",
		Title:       "Types of one server's tools",
		Description: "The same for the tools of one server.",
		MIMEType:    typescript,
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		uri := req.Params.URI
		name, ok := strings.CutPrefix(uri, discover.ServerPrefix)
		name, suffixed := strings.CutSuffix(name, discover.ServerSuffix)
		name, err := url.PathUnescape(name)
		if !ok || !suffixed || err != nil {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		text := s.view(req).ServerDeclarations(name)
		if text == "" { // none, or none that this principal may know of
			return nil, mcp.ResourceNotFoundError(uri)
		}
		return declarations(uri, text), nil
	})
}

func declarations(uri, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: typescript, Text: text}}}
}

// maxCompletions is how many values one completion may have in MCP.
const maxCompletions = 100

// completion is the handler of completions, where there is something to complete.
func (s *Server) completion() func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	if s.opts.Bridge == nil {
		return nil
	}
	return s.complete
}

// complete gives the servers that begin as what was typed.
func (s *Server) complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	out := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	ref, argument := req.Params.Ref, req.Params.Argument
	if ref == nil {
		return out, nil
	}
	typed, before := argument.Value, ""
	switch {
	case ref.Type == "ref/resource" && ref.URI == discover.ServerURI && argument.Name == "server":
	case ref.Type == "ref/prompt" && ref.Name == promptName && argument.Name == "servers":
		if i := strings.LastIndexByte(typed, ',') + 1; i > 0 { // the last of a list
			before, typed = typed[:i], strings.TrimSpace(typed[i:])
		}
	default:
		return out, nil
	}
	for _, name := range s.view(req).Servers() {
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(typed)) {
			out.Completion.Values = append(out.Completion.Values, before+name)
		}
	}
	d := &out.Completion
	if d.Total = len(d.Values); d.Total > maxCompletions {
		d.Values, d.HasMore = d.Values[:maxCompletions], true
	}
	return out, nil
}
