package tests

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a model reads is that of its role, and what was learned that of its session.
func TestHTTPDiscovery(t *testing.T) {
	entry, err := json.Marshal(upstreams{}.entry("calls"))
	if err != nil {
		t.Fatal(err)
	}
	config, tokens := teamConfig(`"writable":true,"mcpServers":{"one":` + string(entry) + `},`)
	e := startHTTP(t, config, "--workspace", workspaceOf(t, map[string]string{"a.txt": "hello"}))
	const search = `{"name":"search_tools","arguments":{"query":"select:one.echo,write_file"`
	for _, era := range []string{legacyEra, modernEra} {
		vera, ada := e.join(era, tokens["vera"]), e.join(era, tokens["ada"])
		env := ada.run(`return (await tools.one.echo({n: 1})).args.n`)
		if string(env.Result) != "1" {
			t.Fatalf("%s: %s", era, env.Message)
		}
		session := "}}"
		if era == modernEra {
			session = `,"session":"` + env.Session + `"}}`
		}
		learned := "{ args: { n: number } }"
		if a := ada.post("tools/call", search+session); !strings.Contains(a.body, "tools.write_file") || !strings.Contains(a.body, learned) {
			t.Errorf("%s: an admin finds %s", era, a.body)
		}
		if a := e.join(era, tokens["ada"]).post("tools/call", search+"}}"); strings.Contains(a.body, learned) || !strings.Contains(a.body, "tools.one.echo") {
			t.Errorf("%s: another session knows what this one learned: %s", era, a.body)
		}
		if a := e.join(era, tokens["bea"]).post("tools/call", search+session); strings.Contains(a.body, learned) {
			t.Errorf("%s: another principal knows what this one learned: %s", era, a.body)
		}
		for _, a := range []answer{
			vera.post("tools/call", search+"}}"), vera.post("tools/list", `{}`),
			vera.post("resources/read", `{"uri":"codemode://code-mode/sdk/one.d.ts"}`), vera.post("completion/complete",
				`{"ref":{"type":"ref/resource","uri":"codemode://code-mode/sdk/{server}.d.ts"},"argument":{"name":"server","value":"o"}}`),
		} {
			if strings.Contains(a.body, "write_file(") || strings.Contains(a.body, "one.echo(") || strings.Contains(a.body, "one (") || strings.Contains(a.body, "one__") || strings.Contains(a.body, `"one"`) {
				t.Errorf("%s: a viewer reads of what it may not call: %s", era, a.body)
			}
		}
	}
	hello := (&user{e: e, era: modernEra, token: tokens["vera"]}).post("server/discover", `{}`)
	if !strings.Contains(hello.body, "workspace.read_file(") || strings.Contains(hello.body, "write_file") {
		t.Errorf("a viewer's instructions: %s", hello.body)
	}
}
