package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// workspaceOf makes a folder with these files.
func workspaceOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Each limit is reached by a script, says so, and the next run works.
func TestLimitsAreReached(t *testing.T) {
	dir := workspaceOf(t, map[string]string{"a.txt": "hello\n", "big.txt": strings.Repeat("0123456789abcdef\n", 8000)})
	tests := []struct {
		name, env, script string
		kind, message     string
	}{
		{"time, busy", "CODE_MODE_TIMEOUT_SECONDS=1", `for (;;) {}`, "timeout", "longer than 1 seconds"},
		{"time, microtasks", "CODE_MODE_TIMEOUT_SECONDS=1", `const f = () => { Promise.resolve().then(f) }; f(); await new Promise(() => 0)`, "timeout", "longer than 1 seconds"},
		{"time, sort", "CODE_MODE_TIMEOUT_SECONDS=1 CODE_MODE_MAX_MEMORY_MB=256", `const a = Array.from({length: 3e6}, (_, i) => (i * 7919) % 1000003); for (;;) a.slice().sort()`, "timeout", ""},
		{"memory, strings", "CODE_MODE_MAX_MEMORY_MB=16", `const a = []; for (;;) a.push("x".repeat(1e5) + a.length)`, "memory_limit", "more than 16 MB"},
		{"memory, array", "CODE_MODE_MAX_MEMORY_MB=64", `new Array(2**27).fill(0.5)`, "memory_limit", "more than 64 MB"},
		{"memory, split", "CODE_MODE_MAX_MEMORY_MB=64", `'a'.repeat(2**28).split('')`, "memory_limit", "more than 64 MB"},
		{"calls", "CODE_MODE_MAX_TOOL_CALLS=3", `for (let i = 0; i < 4; i++) await tools.read_file({path: "a.txt"})`, "tool_call_limit", "limit of 3 tool calls"},
		{"calls, ignored", "CODE_MODE_MAX_TOOL_CALLS=3", `for (;;) await tools.read_file({path: "a.txt"}).catch(() => 0)`, "tool_call_limit", "above the limit of 3"},
		{"calls, at once", "CODE_MODE_MAX_TOOL_CALLS=3", `await Promise.all(Array.from({length: 9}, () => tools.read_file({path: "a.txt"})))`, "tool_call_limit", "limit of 3 tool calls"},
		{"calls, a flood", "CODE_MODE_MAX_TOOL_CALLS=3", `await Promise.allSettled(Array.from({length: 900}, () => tools.read_file({path: "a.txt"})))`, "tool_call_limit", "above the limit of 3"},
		{"script size", "CODE_MODE_MAX_SCRIPT_KB=1", `return 1 // ` + strings.Repeat("x", 2000), "invalid_arguments", "at most 1024"},
		{"call arguments", "CODE_MODE_MAX_ARGS_KB=1", `await tools.read_file({path: "x".repeat(2000)})`, "exception", "at most 1024"},
		{"tool result", "CODE_MODE_MAX_TOOL_RESULT_KB=64", `await tools.read_file({path: "big.txt"})`, "exception", "at most 65536"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := startClient(t, strings.Fields(tt.env), "serve", "--workspace", dir, "--log-level", "error")
			env := c.run(tt.script)
			if env.Kind != tt.kind || !strings.Contains(env.Message, tt.message) {
				t.Errorf("got %s: %s", env.Kind, env.Message)
			}
			if limit := strings.SplitN(tt.env, "=", 2); tt.name == "time, busy" && (env.Ms < 1000 || env.Ms > 1500) {
				t.Errorf("%s: ended after %d ms", limit[0], env.Ms)
			}
			c.mustRun("return 1", "1")
		})
	}
}

func TestResultAndLogsAreCut(t *testing.T) {
	c := startClient(t, []string{"CODE_MODE_MAX_RESULT_CHARS=1000", "CODE_MODE_MAX_LOG_KB=1"}, "serve", "--log-level", "error")
	env := c.run(`return Array.from({length: 1000}, (_, i) => "row " + i)`)
	if !env.Truncated || len(env.Result) > 1000 || len(env.Result) < 900 || !strings.HasPrefix(string(env.Result), `["row 0","row 1"`) {
		t.Errorf("cut to %d bytes, truncated %v: %.60s", len(env.Result), env.Truncated, env.Result)
	}
	env = c.run(`for (let i = 0; i < 1e5; i++) console.log("line " + i); return 1`)
	total := len(strings.Join(env.Logs, ""))
	logs := strings.Join(env.Logs, "\n")
	if env.Error != "" || total > 1200 || !strings.HasPrefix(logs, "line 0\n") || !strings.HasSuffix(logs, "\nline 99999") || !strings.Contains(logs, "lines were dropped") {
		t.Errorf("%s: %d bytes of logs: %s", env.Kind, total, logs)
	}
}

func TestLimitsOutOfRangeAreRefusedAtStart(t *testing.T) {
	for _, tt := range []struct{ env, want string }{
		{"CODE_MODE_TIMEOUT_SECONDS=0", "CODE_MODE_TIMEOUT_SECONDS=0 is out of range: want 1..300"},
		{"CODE_MODE_MAX_MEMORY_MB=4", "CODE_MODE_MAX_MEMORY_MB=4 is out of range: want 8..512"},
		{"CODE_MODE_MAX_TOOL_CALLS=many", `CODE_MODE_MAX_TOOL_CALLS="many" is not a whole number`},
		{"CODE_MODE_MAX_TOTAL_MEMORY_MB=128 CODE_MODE_MAX_MEMORY_MB=512", "CODE_MODE_MAX_TOTAL_MEMORY_MB=128 has no room for one worker: CODE_MODE_MAX_MEMORY_MB=512"},
		{"CODE_MODE_ROLE=king", `role "king" is unknown: want one of viewer, editor, admin`},
	} {
		out, code := runBinary(t, strings.Fields(tt.env), "", "doctor")
		if code != 2 || !strings.Contains(out, tt.want) {
			t.Errorf("%s: exit %d, %s", tt.env, code, out)
		}
	}
}

func TestBusy(t *testing.T) {
	for _, limit := range []string{"CODE_MODE_MAX_CONCURRENCY=1", "CODE_MODE_MAX_TOTAL_MEMORY_MB=128"} {
		t.Run(limit, func(t *testing.T) { busy(t, limit) })
	}
}

// busy fills a server that has room for one run.
func busy(t *testing.T, limit string) {
	c := startClient(t, []string{limit, "CODE_MODE_QUEUE_SECONDS=1", "CODE_MODE_TIMEOUT_SECONDS=3"}, "serve", "--log-level", "error")
	c.mustRun("return 1", "1")
	_, long := c.send("tools/call", c.execute("for (;;) {}"))
	env := c.run("return 1")
	for env.Error == "" { // it came before the long run had its worker
		select {
		case m := <-long:
			t.Fatalf("the long run ended first, as %s", c.envelope(m).Kind)
		default:
			env = c.run("return 1")
		}
	}
	if env.Kind != "busy" || !strings.Contains(env.Hint, "try again") {
		t.Errorf("got %s: %s (%s)", env.Kind, env.Message, env.Hint)
	}
	if end := c.envelope(c.await(long)); end.Kind != "timeout" {
		t.Errorf("the long run ended as %s", end.Kind)
	}
}

// A client that gave a token hears of a run in which nothing happens.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	c := startClient(t, nil, "serve", "--log-level", "error")
	c.request("tools/call", `{"name":"execute_script","arguments":{"script":"await sleep(5500); return 1"},"_meta":{"progressToken":"t"}}`)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.notes) != 1 || !strings.Contains(string(c.notes[0].Params), "running for 5 s") {
		t.Errorf("notifications: %v", c.notes)
	}
}
