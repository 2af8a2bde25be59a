package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codemode-mcp/internal/policy"
)

// load writes a config file and loads it.
func load(t *testing.T, text string, flags Flags) (*Config, error) {
	t.Helper()
	flags.File = filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(flags.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(flags)
}

func TestServers(t *testing.T) {
	t.Setenv("TOKEN_OF_TEST", "s3cret")
	c, err := load(t, "\xef\xbb\xbf"+`{
		// a client's own file
		"mcpServers": {
			"a": {"command": "stub", "args": ["a b", "\"q\"", "$HOME", "C:\\dir\\x", "", "*", "new\nline", "é"], "env": {"T": "${TOKEN_OF_TEST}", "D": "${NOPE_OF_TEST:-d}"}},
			"b": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${env:TOKEN_OF_TEST}"},
				"role": "editor", "allow": ["get_*"], "deny": ["get_secret"], "timeoutSeconds": 5, "protocol": "legacy", "prefix": "bee"},
			"self": {"command": "/usr/local/bin/codemode-mcp", "args": ["serve"]},
			"docker": {"command": "docker", "args": ["run", "codemode-mcp:latest"]},
			"missing": {"command": "x", "env": {"T": "${NOPE_OF_TEST}"}},
			"sse": {"type": "sse", "url": "https://example.com/sse"},
			"plain": {"url": "http://example.com/mcp"},
			"loop": {"url": "http://127.0.0.1:1/mcp"},
			"workspace": {"command": "x"},
			"off": {"command": "x", "disabled": true, "alwaysAllow": ["y"]},
		},
		"globalShortcut": "x", "projects": {}, "inputs": [], /* of other clients */
	}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]Server{}
	for _, s := range c.Servers {
		byName[s.Name] = s
	}
	a := byName["a"]
	if d := cmp.Diff([]string{"a b", `"q"`, "$HOME", `C:\dir\x`, "", "*", "new\nline", "é"}, a.Args); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"T": "s3cret", "D": "d"}, a.Env); d != "" {
		t.Error(d)
	}
	b := byName["bee"]
	if b.Headers["Authorization"] != "Bearer s3cret" || b.Role != policy.Editor || b.Timeout != 5*time.Second || b.Protocol != "legacy" || b.Transport() != HTTP {
		t.Errorf("got %+v", b)
	}
	if !b.Allows("get_x") || b.Allows("get_secret") || b.Allows("put_x") || !a.Allows("anything") {
		t.Error("allow and deny do not decide as they should")
	}
	for name, want := range map[string]string{"missing": "variable NOPE_OF_TEST is not set", "sse": "old SSE transport", "plain": "not encrypted", "loop": "", "a": ""} {
		if got := byName[name].Problem; !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("problem of %s: got %q, want %q", name, got, want)
		}
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"self starts this very program", "docker starts this very program", `"workspace" is the name`, "globalShortcut", "projects", "inputs", "off.alwaysAllow"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note says %q:\n%s", want, notes)
		}
	}
	if len(c.Servers) != 7 || !byName["off"].Disabled {
		t.Errorf("got %d servers", len(c.Servers))
	}
	if strings.Contains(notes, "s3cret") {
		t.Error("a note holds a secret")
	}
}

func TestServersOfVSCode(t *testing.T) {
	c, err := load(t, `{"servers": {"x": {"type": "stdio", "command": "x", "args": ["${workspaceFolder}/a"]}}, "inputs": []}`, Flags{Workspace: "/srv"})
	if err != nil || len(c.Servers) != 1 || c.Servers[0].Args[0] != "/srv/a" {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestServerMistakes(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"mcpServers":{"a":{"comand":"x"}}}`, `mcpServers.a.comand: is unknown: did you mean "command"?`},
		{`{"mcpServers":{"a":{"command":"x","url":"http://127.0.0.1:1"}}}`, "mcpServers.a: has both a command and a url"},
		{`{"mcpServers":{"a":{"command":"x","args":"--flag"}}}`, "mcpServers.a.args: must be a list of strings, not a string"},
		{`{"mcpServers":{"a":{"command":"x","args":["a",1]}}}`, "mcpServers.a.args: must be a list of strings, not a list with a number"},
		{`{"mcpServers":{"a":{"command":"x","env":{"N":1}}}}`, "mcpServers.a.env: must be an object of strings, not an object in which N is a number"},
		{`{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}`, `mcpServers: has the key "a" twice`},
		{`{"mcpServers":[]}`, "mcpServers: must be an object, not a list"},
		{`{"mcpServers":{"a":{}}}`, "mcpServers.a: has neither a command nor a url"},
		{`{"mcpServers":{"a":"x"}}`, "mcpServers.a: must be an object, not a string"},
		{`{"mcpServers":{"a":{"command":"x","timeoutSeconds":301}}}`, "timeoutSeconds: 301 is out of range: want 1..300"},
		{`{"mcpServers":{"a":{"command":"x","protocol":"new"}}}`, `"new" is not one of auto, legacy, modern`},
		{`{"mcpServers":{"a":{"command":"x","role":"root"}}}`, `role "root" is unknown`},
		{`{"mcpServers":{"a":{"command":"x","allow":["["]}}}`, `"[" is not a glob`},
		{`{"mcpServers":{"a":{"command":"x"},"b":{"command":"x","prefix":"a"}}}`, "has the same name as a"},
		{`{"mcpServer":{}}`, `mcpServer: is unknown: did you mean "mcpServers"?`},
		{`{"mcpServers":{},"workspce":"x"}`, `workspce: is unknown: did you mean "workspace"?`},
		{`{"mcpServers":{},"workspace":"x","workspace":"y"}`, `has the key "workspace" twice`},
		{`{"mcpServers":{},"globalShortcut":`, "is not valid JSON at line 1"},
	}
	for _, tt := range tests {
		if _, err := load(t, tt.text, Flags{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.text, err, tt.want)
		}
	}
	for _, text := range []string{`{"servers":{}}`, "// comment\n{\"mcpServers\":{}}", `{"mcpServers":{},}`, `{"mcpServers":{"a":{"command":"${HOME}/x y"}}}`} {
		if _, err := load(t, text, Flags{}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A file in the workspace may have been written by a stranger.
func TestNoVariablesFromTheWorkspace(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TOKEN_OF_TEST", "s3cret")
	real := filepath.Join(dir, "ws", "c.json")
	link := filepath.Join(dir, "link.json")
	text := `{"mcpServers":{"a":{"url":"https://example.com/${TOKEN_OF_TEST:-x}"}}}`
	for _, err := range []error{os.Mkdir(filepath.Join(dir, "ws"), 0o755), os.WriteFile(real, []byte(text), 0o600),
		os.Symlink(real, link), os.Symlink(filepath.Join(dir, "ws"), filepath.Join(dir, "alias"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []Flags{{File: real, Workspace: filepath.Join(dir, "ws")}, {File: link, Workspace: filepath.Join(dir, "ws")},
		{File: real, Workspace: filepath.Join(dir, "alias")}} {
		c, err := Load(f)
		if err != nil || !strings.Contains(c.Servers[0].Problem, "outside the workspace") || strings.Contains(c.Servers[0].URL, "s3cret") {
			t.Errorf("%+v: %v", c.Servers, err)
		}
	}
}
