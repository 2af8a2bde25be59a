package tests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codemode-mcp/tests/authfake"
)

// A user logs in, calls a tool, and logs out; and no tool of a script reads what is
// kept.
func TestLoginStory(t *testing.T) {
	auth := authfake.New()
	defer auth.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "config.json")
	text, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{"web": map[string]any{"url": auth.URL + "/mcp"}, "local": map[string]any{"command": "x", "disabled": true}}})
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	ws := filepath.Join(dir, "ws")
	env := append(os.Environ(), "CODE_MODE_TOKEN_DIR="+filepath.Join(ws, "tokens"), "CODE_MODE_CACHE_DIR="+filepath.Join(dir, "cache"), "PATH=")
	program := func(args ...string) (stdout, stderr string, code int) {
		cmd := exec.Command(binary, append(args, "--config", config)...)
		var out, errs bytes.Buffer
		cmd.Env, cmd.Stdout, cmd.Stderr, cmd.Dir = env, &out, &errs, ws
		_ = cmd.Run()
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	if err := os.Mkdir(ws, 0o755); err != nil {
		t.Fatal(err)
	}

	if _, said, _ := program("tools"); !strings.Contains(said, "server web is not logged in: a person must run: codemode-mcp login web --config "+config) {
		t.Errorf("tools says %s", said)
	}
	if said, _, code := program("doctor"); code != 1 || !strings.Contains(said, "codemode-mcp login web") {
		t.Errorf("doctor ends with %d and says %s", code, said)
	}
	for _, tt := range []struct{ name, want string }{
		{"wbe", `no server is named "wbe": did you mean "web"?`},
		{"local", "is a command and has no login"},
	} {
		if _, said, code := program("login", tt.name); code != 2 || !strings.Contains(said, tt.want) {
			t.Errorf("login %s: %d, %s", tt.name, code, said)
		}
	}
	if _, said, code := program("login", "web", "--timeout", "100ms"); code != 1 || !strings.Contains(said, "nobody logged in in time") {
		t.Errorf("a login that nobody makes ends with %d: %s", code, said)
	}

	login(t, env, config)
	out, said, _ := program("run", "--workspace", ws, script(t, dir, `
		const read = await tools.web.read();
		const kept = await tools.read_file({path: "tokens/tokens.json"}).catch((e) => e.message);
		const found = await tools.grep({pattern: "refresh-"});
		return [read, kept, found.matches.length];`))
	if !strings.Contains(out, "read done") || !strings.Contains(out, "secret of the server") || strings.Contains(out+said, "refresh-") || strings.Contains(out+said, "access-") {
		t.Errorf("got %s%s", out, said)
	}
	for _, write := range []string{`write_file({path: "tokens/tokens.json", content: "{}"})`, `write_file({path: "tokens/new", content: ""})`,
		`move_file({source: "tokens", destination: "elsewhere"})`, `delete_file({path: "tokens/tokens.json"})`} {
		out, _, _ := program("run", "--workspace", ws, "--writable", script(t, dir, `return await tools.`+write+`.catch((e) => "refused: " + e.message)`))
		if !strings.Contains(out, "refused: ") || !strings.Contains(out, "protected") {
			t.Errorf("%s: %s", write, out)
		}
	}
	if out, _, code := program("logout", "web"); code != 0 || !strings.Contains(out, "logged out of web") {
		t.Errorf("logout ends with %d: %s", code, out)
	}
	if _, said, _ := program("tools"); !strings.Contains(said, "not logged in") {
		t.Errorf("after the logout tools says %s", said)
	}
	auth.Do(func() {
		if len(auth.Wrong) > 0 {
			t.Errorf("the authorization server complains: %v", auth.Wrong)
		}
	})
}

func script(t *testing.T, dir, text string) string {
	t.Helper()
	file := filepath.Join(dir, "script.js")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// login runs the command and plays the browser.
func login(t *testing.T, env []string, config string) {
	t.Helper()
	cmd := exec.Command(binary, "login", "web", "--config", config)
	cmd.Env = env
	var out bytes.Buffer
	cmd.Stdout = &out
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if address := strings.TrimSpace(lines.Text()); strings.HasPrefix(address, "http://") {
			res, err := http.Get(address)
			if err != nil {
				t.Error(err)
				continue
			}
			page, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if !strings.Contains(string(page), "You can close this window") {
				t.Errorf("the browser shows %s", page)
			}
			http.DefaultClient.CloseIdleConnections()
		} else if address != "" {
			t.Log(address)
		}
	}
	if err := cmd.Wait(); err != nil || out.String() != "logged in to web, which has 3 tools\n" {
		t.Fatalf("login: %v, %s", err, out.String())
	}
}
