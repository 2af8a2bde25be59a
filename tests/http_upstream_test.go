package tests

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mirror is an upstream server whose tool says over which session it was called,
// and with which token.
func mirror(t *testing.T) string {
	m := mcp.NewServer(&mcp.Implementation{Name: "mirror", Version: "1"}, nil)
	m.AddTool(&mcp.Tool{Name: "look", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		text, err := json.Marshal(map[string]string{"session": req.Session.ID(), "token": req.Extra.Header.Get("Authorization")})
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, err
	})
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return m }, nil))
	t.Cleanup(func() {
		for s := range m.Sessions() {
			s.Close()
		}
		srv.Close()
	})
	return srv.URL
}

// Connections to an upstream server are shared, or each principal's own; a token
// goes over its owner's only, and only where the entry says so.
func TestHTTPUpstream(t *testing.T) {
	at := mirror(t)
	config, tokens := teamConfig(`"mcpServers":{
		"shared":{"url":"` + at + `","protocol":"legacy","role":"viewer","headers":{"Authorization":"Bearer ours"}},
		"own":{"url":"` + at + `","protocol":"legacy","role":"viewer","headers":{"Authorization":"Bearer ours"},"connection":"principal"},
		"passed":{"url":"` + at + `","protocol":"legacy","role":"viewer","headers":{"Authorization":"Bearer ours"},"connection":"principal","forwardToken":true}},`)
	e := startHTTP(t, config)
	type seen struct{ Session, Token string }
	look := func(u *user, server string) (s seen) {
		t.Helper()
		env := u.run(`return await tools.` + server + `.look({})`)
		if err := json.Unmarshal(env.Result, &s); err != nil {
			t.Fatalf("%s: %s %s", server, env.Message, env.Result)
		}
		return s
	}
	ada, bea := e.join(legacyEra, tokens["ada"]), e.join(modernEra, tokens["bea"])
	for server, want := range map[string]struct {
		together   bool
		ada, other string
	}{
		"shared": {true, "Bearer ours", "Bearer ours"},
		"own":    {false, "Bearer ours", "Bearer ours"},
		"passed": {false, "Bearer " + tokens["ada"], "Bearer " + tokens["bea"]},
	} {
		a, b, again := look(ada, server), look(bea, server), look(e.join(modernEra, tokens["ada"]), server)
		if (a.Session == b.Session) != want.together || a.Session != again.Session {
			t.Errorf("%s: sessions %s, %s and %s", server, a.Session, b.Session, again.Session)
		}
		if a.Token != want.ada || b.Token != want.other {
			t.Errorf("%s: tokens %q and %q", server, a.Token, b.Token)
		}
	}
	if a := ada.post("tools/call", `{"name":"passed__look","arguments":{}}`); !strings.Contains(a.body, "Bearer "+tokens["ada"]) {
		t.Errorf("a direct call: %s", a.body)
	}
	if strings.Contains(e.logged(), tokens["ada"]) {
		t.Error("the log holds a token")
	}

	// On stdio nobody comes with a token.
	c := startConfig(t, `{"mcpServers":{"passed":{"url":"`+at+`","protocol":"legacy","connection":"principal","forwardToken":true}}}`)
	if env := c.run(`return await tools.passed.look({})`); !strings.Contains(env.Message, "wants the caller's own token") {
		t.Errorf("without a token: %+v", env)
	}
}
