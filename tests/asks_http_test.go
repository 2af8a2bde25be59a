package tests

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer adds a token to every request.
type bearer struct {
	token string
	base  *http.Transport
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.base.RoundTrip(r)
}

// over connects this person to an endpoint.
func (p *person) over(t *testing.T, e *endpoint, token, revision string) *mcp.ClientSession {
	t.Helper()
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	return p.connect(t, &mcp.StreamableClientTransport{Endpoint: e.url, HTTPClient: &http.Client{Transport: bearer{token, base}}, DisableStandaloneSSE: true}, revision, true, false)
}

// Over HTTP, where principals share the connection to a server, a question goes to
// whose call it came with, and to nobody when that is not certain.
func TestQuestionsOverHTTP(t *testing.T) {
	for _, theirs := range []string{"legacy", "modern"} {
		t.Run(theirs, func(t *testing.T) {
			entry, _ := json.Marshal(with(upstreams{}.entry("asks"), "protocol", theirs, "role", "viewer"))
			config, tokens := teamConfig(`"mcpServers":{"asks":` + string(entry) + `},`)
			for _, ours := range []string{"2025-11-25", "2026-07-28"} {
				e := startHTTP(t, config)
				ada, bea := &person{}, &person{}
				a, b := ada.over(t, e, tokens["ada"], ours), bea.over(t, e, tokens["bea"], ours)
				for _, script := range []bool{false, true} {
					if got := ask(t, a, script, map[string]any{"message": "who?"}); got != "accept Ada" {
						t.Errorf("%s, script %v: got %s", ours, script, got)
					}
				}
				want := map[string]string{"legacy": "decline <nil>", "modern": "accept Ada"}[theirs]
				if got := ask(t, b, true, map[string]any{"message": "and you?"}); got != want {
					t.Errorf("%s, a second principal: got %s, want %s", ours, got, want)
				}
				if theirs == "legacy" && bea.last() != "" || ada.last() != "The MCP server asks asks: who?" {
					t.Errorf("ada read %q, bea %q", ada.last(), bea.last())
				}
			}
		})
	}
}

// A parked call of one principal is nothing to another, who knows its state.
func TestParkedStateOverHTTP(t *testing.T) {
	entry, _ := json.Marshal(with(upstreams{}.entry("asks"), "protocol", "modern", "role", "viewer"))
	config, tokens := teamConfig(`"mcpServers":{"asks":` + string(entry) + `},`)
	e := startHTTP(t, config)
	ada, bea := &person{manual: true}, &person{manual: true}
	a, b := ada.over(t, e, tokens["ada"], "2026-07-28"), bea.over(t, e, tokens["bea"], "2026-07-28")
	args := map[string]any{"script": `return await tools.asks.ask({message: "who?"})`}
	first, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "execute_script", Arguments: args})
	if err != nil || !first.NeedsInput() {
		t.Fatalf("got %+v, %v", first, err)
	}
	retry := &mcp.CallToolParams{Name: "execute_script", Arguments: args, RequestState: first.RequestState, InputResponses: mcp.InputResponseMap{}}
	for id := range first.InputRequests {
		retry.InputResponses[id] = &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}
	}
	if res, err := b.CallTool(t.Context(), retry); err == nil || !strings.Contains(err.Error(), "requestState is unknown") {
		t.Errorf("another principal went on with it: %+v, %v", res, err)
	}
	res, err := a.CallTool(t.Context(), retry)
	if err != nil || res.NeedsInput() || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "accept Ada") {
		t.Errorf("got %+v, %v", res, err)
	}
}
