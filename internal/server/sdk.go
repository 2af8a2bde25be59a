package server

import (
	"context"
	"net/url"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/discover"
	"codemode-mcp/internal/policy"
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
		v := s.view(req)
		return declarations(discover.SDKURI, s.written.get(writtenFor(v, ""), v.Declarations)), nil
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
		v := s.view(req)
		text := s.written.get(writtenFor(v, name), func() string { return v.ServerDeclarations(name) })
		if text == "" { // none, or none that this principal may know of
			return nil, mcp.ResourceNotFoundError(uri)
		}
		return declarations(uri, text), nil
	})
}

func declarations(uri, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: typescript, Text: text}}}
}

// maxWritten bounds the declarations that are kept, in bytes.
const maxWritten = 32 << 20

// written keeps declarations: those of hundreds of tools take a tenth of a second, and a
// client may ask as often as it likes. One text is written at a time.
type written struct {
	mu      sync.Mutex
	version uint64                // guarded by mu: of the catalog of all that is kept
	texts   map[writtenKey]string // guarded by mu
	size    int                   // guarded by mu: of all texts, in bytes
}

// writtenKey is all that declarations depend on.
type writtenKey struct {
	version uint64
	role    policy.Role
	server  string // empty: all
	learned uint64
}

func writtenFor(v discover.View, server string) writtenKey {
	return writtenKey{v.Catalog.Version(), v.Principal.Role, server, v.LearnedMark()}
}

func (w *written) get(key writtenKey, write func() string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if text, ok := w.texts[key]; ok {
		return text
	}
	text := write()
	if text == "" { // a name that anybody may make up
		return text
	}
	if w.texts == nil || w.version != key.version || w.size+len(text) > maxWritten {
		w.texts, w.version, w.size = map[writtenKey]string{}, key.version, 0
	}
	w.texts[key] = text
	w.size += len(text)
	return text
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
