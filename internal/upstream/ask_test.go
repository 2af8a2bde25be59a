package upstream

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
	"codemode-mcp/tests/fault"
)

// Over a connection that several share, an old server's question is nobody's for
// certain; inside a call's result it is the caller's.
func TestWhoseQuestion(t *testing.T) {
	for _, protocol := range []string{"legacy", "modern"} {
		t.Run(protocol, func(t *testing.T) {
			h := &home{t: t}
			h.Manager = New(Options{Env: config.ChildEnv(), Publish: func(tools []catalog.Tool) { h.mu.Lock(); h.tools = tools; h.mu.Unlock() },
				Servers: []config.Server{{Key: "asks", Name: "asks", Command: os.Args[0], Protocol: protocol, Role: policy.Admin,
					Env: map[string]string{fault.Variable: "asks"}, Digest: "asks"}}})
			h.Open()
			t.Cleanup(h.Close)
			h.settle()
			as := func(principal string) string {
				t.Helper()
				ctx := catalog.WithAsker(context.Background(), catalog.Asker{Principal: principal, Ask: func(_ context.Context, q catalog.Question) (json.RawMessage, error) {
					if q.Server != "asks" || q.Kind != catalog.QuestionForm {
						t.Errorf("asked %+v", q)
					}
					return json.RawMessage(`{"action":"accept","content":{"name":"` + principal + `"}}`), nil
				}})
				res, err := h.call(ctx, "asks", "ask", "")
				if err != nil {
					return err.Error()
				}
				return res.Content[0].Text
			}
			if got := as("ada"); got != "accept ada" {
				t.Errorf("got %s", got)
			}
			want := map[string]string{"legacy": "decline <nil>", "modern": "accept eve"}[protocol]
			if got := as("eve"); got != want {
				t.Errorf("a second principal: got %s, want %s", got, want)
			}
			want = map[string]string{"legacy": "decline <nil>", "modern": "accept ada"}[protocol]
			if got := as("ada"); got != want {
				t.Errorf("the first one again: got %s, want %s", got, want)
			}
			if res, err := h.call(context.Background(), "asks", "ask", ""); err != nil || res.Content[0].Text != "decline <nil>" {
				t.Errorf("a caller who can't be asked: got %+v, %v", res, err)
			}
		})
	}
}

// A command is looked for where its entry says.
func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/tool", []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/plain", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		command string
		env     []string
		want    string
	}{
		{"tool", []string{"PATH=/nowhere", "PATH=/none:" + dir}, dir + "/tool"},
		{"tool", []string{"PATH=" + dir, "PATH=/nowhere"}, ""},
		{"tool", nil, ""},
		{"plain", []string{"PATH=" + dir}, ""},
		{"tool", []string{"PATH=.:"}, ""},
		{"./tool", nil, "./tool"},
		{"/x/tool", nil, "/x/tool"},
	} {
		if got, err := lookPath(tt.command, tt.env); got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s in %v: got %q, %v", tt.command, tt.env, got, err)
		}
	}
}
