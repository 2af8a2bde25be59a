package tests

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Params that are not those of their method are refused in words of MCP, with the id and
// a code, and nothing of what was sent comes back: on both transports, in both eras.
func TestWrongParams(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	long := strings.Repeat("x", 4000)
	cases := []struct{ method, params, want string }{
		{"tools/list", `-1`, `"params" must be an object`},
		{"tools/list", `"` + long + `"`, `"params" must be an object`},
		{"tools/call", `null`, `"params" is missing`},
		{"tools/list", `{"cursor":1e308}`, `"cursor" must be a string, not number`},
		{"tools/call", `[[]]`, `"params" must be an object`},
		{"tools/call", `{"name":["` + long + `"]}`, `"name" must be a string, not array`},
		{"prompts/get", `{"name":"code-mode","arguments":{"task":true}}`, `must be a string, not bool`},
		{"prompts/get", `{"name":"code-mode","arguments":[]}`, `"arguments" must be an object, not array`},
		{"resources/read", `{"uri":{}}`, `"uri" must be a string, not object`},
		{"completion/complete", `{"ref":{"type":"x"},"argument":{"name":"a","value":"b"}}`, `they are not those of completion/complete`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"code-mode"},"argument":0}`, `"argument" must be an object, not number`},
		{"subscriptions/listen", `{"notifications":"` + long + `"}`, `"notifications" must be an object, not string`},
	}
	body := func(id int, method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
	}
	right := func(t *testing.T, answer, want string, id int) {
		t.Helper()
		for _, part := range []string{fmt.Sprintf(`"id":%d,`, id), `"code":-32602`, strings.ReplaceAll(want, `"`, `\"`)} {
			if !strings.Contains(answer, part) {
				t.Errorf("no %s in %.300s", part, answer)
			}
		}
		for _, part := range []string{"xxx", "unmarshal", "struct", "mcp.", "Go "} {
			if strings.Contains(answer, part) {
				t.Errorf("%s in %.300s", part, answer)
			}
		}
	}
	t.Run("stdio", func(t *testing.T) {
		in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
		for i, c := range cases {
			in += body(i+1, c.method, c.params) + "\n"
		}
		out, code := runBinary(t, nil, in, "serve", "--log-level", "error")
		lines := map[string]string{}
		for line := range strings.Lines(out) {
			id, _, _ := strings.Cut(strings.TrimPrefix(line, `{"jsonrpc":"2.0","id":`), ",")
			lines[id] = line
		}
		if code != 0 || len(lines) != len(cases)+1 {
			t.Fatalf("exit %d: %s", code, out)
		}
		for i, c := range cases {
			right(t, lines[fmt.Sprint(i+1)], c.want, i+1)
		}
	})
	e := startHTTP(t, "")
	for _, era := range []string{legacyEra, modernEra} {
		t.Run(era, func(t *testing.T) {
			u := e.join(era, "")
			for i, c := range cases {
				params := c.params
				if era == modernEra && params[0] == '{' {
					params = `{` + meta + `,` + params[1:]
				}
				a := e.must(http.MethodPost, e.url, u.headers(c.method, ""), body(i+1, c.method, params))
				if a.status != http.StatusBadRequest {
					t.Errorf("%s %s: %d", c.method, c.params, a.status)
				}
				right(t, a.body, c.want, i+1)
			}
		})
	}
}

// Names and URIs that can't be written as Go writes them end no session.
func TestOddNames(t *testing.T) {
	odd := "\u0000\u0001\u007f\u202e\u2028\ufffd\U000e0001"
	var bodies []string
	for i, call := range []string{
		`"resources/read","params":{"uri":%s}`, `"resources/read","params":{"uri":"codemode://results/x"}`, `"prompts/get","params":{"name":%s}`,
		`"tools/call","params":{"name":%s,"arguments":{}}`, `%s`,
		`"tools/call","params":{"name":"execute_script","arguments":{"script":"return 1","session":%s}}`,
		`"completion/complete","params":{"ref":{"type":"ref/prompt","name":%s},"argument":{"name":"a","value":"b"}}`,
	} {
		bodies = append(bodies, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%s}`, i+1, strings.ReplaceAll(call, "%s", quote(odd))))
	}
	t.Run("stdio", func(t *testing.T) {
		in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
		out, code := runBinary(t, nil, in+strings.Join(bodies, "\n")+"\n"+`{"jsonrpc":"2.0","id":99,"method":"ping"}`+"\n", "serve", "--log-level", "error")
		if code != 0 || strings.Count(out, "\n") != len(bodies)+2 || !strings.Contains(out, `{"jsonrpc":"2.0","id":99,"result":{}}`) {
			t.Errorf("exit %d: %s", code, out)
		}
	})
	t.Run("http", func(t *testing.T) {
		e := startHTTP(t, "")
		u := e.join(legacyEra, "")
		for _, body := range bodies {
			if a := e.must(http.MethodPost, e.url, u.headers("", ""), body); a.status >= 500 || len(a.msgs) == 0 {
				t.Errorf("%s: %d %s", body, a.status, a.body)
			}
		}
		if a := u.post("ping", `{}`); a.status != http.StatusOK {
			t.Errorf("the session has ended: %d %s", a.status, a.body)
		}
	})
}

// What is no right answer to a question of ours is dropped: it ends no session, and nothing
// is answered to it.
func TestOddAnswers(t *testing.T) {
	in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what?"}}
{"jsonrpc":"2.0","result":{}}
{"jsonrpc":"2.0","id":7,"error":7}
{"jsonrpc":"2.0","id":1.5,"result":{}}
{"jsonrpc":"2.0","id":"never asked","result":{}}
{"jsonrpc":"2.0","id":99,"method":"ping"}
`
	out, code := runBinary(t, nil, in, "serve", "--log-level", "error")
	if code != 0 || strings.Count(out, "\n") != 2 || !strings.HasSuffix(out, `{"jsonrpc":"2.0","id":99,"result":{}}`+"\n") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// A stream that has no end of its own ends with the input; a run that is under way is
// waited for, whatever its id looks like.
func TestListeningEndsWithTheInput(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	in := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + `}}
{"jsonrpc":"2.0","id":"\u0061\/","method":"tools/call","params":{"name":"execute_script","arguments":{"script":"await sleep(700); return 'whole'"},` + meta + `}}
`
	start := time.Now()
	out, code := runBinary(t, nil, in, "serve", "--log-level", "error")
	if code != 0 || !strings.Contains(out, `{"jsonrpc":"2.0","id":"a/","result"`) || !strings.Contains(out, "whole") {
		t.Errorf("exit %d: %s", code, out)
	}
	// Waiting for the stream as for a request takes more than five minutes.
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("it took %v", took)
	}
}
