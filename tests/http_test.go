package tests

import (
	"net/http"
	"strings"
	"testing"
)

// teamConfig has one token of each role.
func teamConfig(more string) (config string, tokens map[string]string) {
	tokens = map[string]string{}
	var lines []string
	for _, name := range []string{"vera", "eddy", "ada", "bea"} {
		role := map[string]string{"vera": "viewer", "eddy": "editor", "ada": "admin", "bea": "admin"}[name]
		tokens[name] = "secret-of-" + name
		lines = append(lines, `{"name":"`+name+`","role":"`+role+`","sha256":"`+digestOf(tokens[name])+`"}`)
	}
	return `{` + more + `"auth":{"tokens":[` + strings.Join(lines, ",") + `]}}`, tokens
}

// Both eras are served at one address: scripts run, state lasts by session or by
// handle, and belongs to its principal.
func TestHTTPEras(t *testing.T) {
	config, tokens := teamConfig("")
	e := startHTTP(t, config, "--workspace", workspaceOf(t, map[string]string{"a.txt": "hello"}))
	for _, era := range []string{"2025-06-18", legacyEra, modernEra} {
		t.Run(era, func(t *testing.T) {
			ada := e.join(era, tokens["ada"])
			env := ada.run(`state.n = (state.n ?? 0) + 1; return [(await tools.read_file({path: "a.txt"})).content, state.n]`)
			if string(env.Result) != `["hello",1]` {
				t.Fatalf("got %s %s %s", env.Kind, env.Message, env.Result)
			}
			var more []string
			if era == modernEra {
				if env.Session == "" {
					t.Fatal("no handle in the envelope")
				}
				more = []string{"session", env.Session}
			} else if env.Session != "" {
				t.Errorf("a handle %q although the transport has sessions", env.Session)
			}
			if env := ada.run(`return ++state.n`, more...); string(env.Result) != "2" {
				t.Errorf("the state did not last: %s %s", env.Message, env.Result)
			}
			if env := e.join(era, tokens["ada"]).run(`return state.n ?? null`); string(env.Result) != "null" {
				t.Errorf("another session sees the state: %s", env.Result)
			}
			bea := e.join(era, tokens["bea"])
			if env := bea.run(`return state.n ?? null`, more...); string(env.Result) == "2" || era == modernEra && env.Kind != "invalid_arguments" {
				t.Errorf("another principal sees the state: %s %s", env.Kind, env.Result)
			}
		})
	}
}

// A result that was cut is read by its maker only, in both eras.
func TestHTTPResults(t *testing.T) {
	config, tokens := teamConfig(`"limits":{"CODE_MODE_MAX_RESULT_CHARS":1000},`)
	e := startHTTP(t, config)
	for _, era := range []string{legacyEra, modernEra} {
		ada := e.join(era, tokens["ada"])
		env := ada.run(`return "x".repeat(5000)`)
		if env.ResultURI == "" {
			t.Fatalf("%s: the result was not kept: %+v", era, env)
		}
		read := `{"uri":"` + env.ResultURI + `"}`
		if a := ada.post("resources/read", read); a.last().Error != nil || !strings.Contains(a.body, "xxxx") {
			t.Errorf("%s: its maker can't read it: %s", era, a.body)
		}
		if a := e.join(era, tokens["bea"]).post("resources/read", read); a.last().Error == nil || strings.Contains(a.body, "xxxx") {
			t.Errorf("%s: another principal reads it: %s", era, a.body)
		}
	}
}

// Lists, calls and scripts are those of the principal's role, by every road.
func TestHTTPRoles(t *testing.T) {
	config, tokens := teamConfig(`"writable":true,`)
	e := startHTTP(t, config, "--workspace", workspaceOf(t, map[string]string{"a.txt": "hello"}))
	for _, era := range []string{legacyEra, modernEra} {
		vera, eddy := e.join(era, tokens["vera"]), e.join(era, tokens["eddy"])
		if a := vera.post("tools/list", `{}`); strings.Contains(a.body, `write_file`) || !strings.Contains(a.body, "read_file") {
			t.Errorf("%s: a viewer's list: %s", era, a.body)
		} else if era == modernEra && !strings.Contains(a.body, `"cacheScope":"private"`) {
			t.Errorf("the list of one principal may be kept for others: %s", a.body)
		}
		if a := eddy.post("tools/list", `{}`); !strings.Contains(a.body, `write_file`) || strings.Contains(a.body, `delete_file`) {
			t.Errorf("%s: an editor's list: %s", era, a.body)
		}
		if a := vera.post("resources/read", `{"uri":"codemode://code-mode/sdk.d.ts"}`); strings.Contains(a.body, "write_file") {
			t.Errorf("%s: a viewer's declarations: %s", era, a.body)
		}
		if a := vera.post("prompts/get", `{"name":"code-mode","arguments":{"task":"x"}}`); strings.Contains(a.body, "write_file") {
			t.Errorf("%s: a viewer's prompt: %s", era, a.body)
		}
		hidden := vera.post("tools/call", `{"name":"write_file","arguments":{"path":"b.txt","content":"x"}}`)
		if m := hidden.last(); m.Error == nil && !strings.Contains(string(m.Result), `"isError":true`) {
			t.Errorf("%s: a viewer's call: %d %s", era, hidden.status, hidden.body)
		}
		for _, call := range []string{`tools.write_file`, `tools["write_file"]`, `tools.workspace.write_file`, `((a) => cc.callTool("write_file", a))`, `((a) => mcp.callTool("workspace", "write_file", a))`} {
			if env := vera.run(`return await ` + call + `({path: "b.txt", content: "x"})`); env.Error == "" {
				t.Errorf("%s: a viewer's script wrote a file by %s: %s", era, call, env.Result)
			}
		}
		if env := vera.run(`return (await searchTools("write a file")).map((t) => t.name)`); strings.Contains(string(env.Result), "write_file") {
			t.Errorf("%s: a viewer's search: %s", era, env.Result)
		}
		if env := eddy.run(`return (await tools.write_file({path: "c.txt", content: "x"})).path`); env.Error != "" {
			t.Errorf("%s: an editor's script: %s", era, env.Message)
		}
	}
}

// A session is its principal's alone, ends by DELETE, and each has a limit of them.
func TestHTTPSessions(t *testing.T) {
	config, tokens := teamConfig(`"http":{"maxSessionsPerPrincipal":3},`)
	e := startHTTP(t, config)
	ada, bea := e.join(legacyEra, tokens["ada"]), e.join(legacyEra, tokens["bea"])
	foreign := *bea
	foreign.session = ada.session
	if a := foreign.post("tools/list", `{}`); a.status != http.StatusNotFound || a.last().Error == nil {
		t.Errorf("a foreign session: %d %s", a.status, a.body)
	}
	if a := e.must(http.MethodDelete, e.url, foreign.headers("", ""), ""); a.status != http.StatusNotFound {
		t.Errorf("a foreign session can be ended: %d", a.status)
	}
	if a := e.must(http.MethodGet, e.url, foreign.headers("", ""), ""); a.status != http.StatusNotFound {
		t.Errorf("a foreign session can be listened to: %d", a.status)
	}
	e.join(legacyEra, tokens["ada"])
	e.join(legacyEra, tokens["ada"])
	fourth := &user{e: e, era: legacyEra, token: tokens["ada"]}
	initialize := `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`
	if a := fourth.post("initialize", initialize); a.status != http.StatusTooManyRequests || a.last().Error == nil || a.header.Get("Retry-After") == "" {
		t.Errorf("a session too many: %d %s", a.status, a.body)
	}
	if a := e.must(http.MethodDelete, e.url, ada.headers("", ""), ""); a.status != http.StatusNoContent {
		t.Errorf("DELETE: %d %s", a.status, a.body)
	}
	if a := ada.post("tools/list", `{}`); a.status != http.StatusNotFound {
		t.Errorf("an ended session: %d %s", a.status, a.body)
	}
	if a := fourth.post("initialize", initialize); a.status != http.StatusOK {
		t.Errorf("a session after one has ended: %d %s", a.status, a.body)
	}
}
