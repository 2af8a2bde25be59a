package tests

import (
	"strings"
	"testing"
)

// Without a JIT everything works that works with one, and the sandbox says so.
func TestJitless(t *testing.T) {
	dir := workspaceOf(t, map[string]string{"a.txt": "hello\n"})
	env := []string{"CODE_MODE_JIT=false", "CODE_MODE_TIMEOUT_SECONDS=2"}
	c := startClient(t, env, "serve", "--workspace", dir, "--log-level", "error")
	for script, want := range map[string]string{
		`const n: number = 1e6; let t = 0; for (let i = 0; i < n; i++) t += i; return t`: "499999500000",
		`return (await tools.read_file({path: "a.txt"})).content`:                        `"hello\n"`,
		`return "aXbX".replace(/x/gi, "-")`:                                              `"a-b-"`,
		`return new URL("http://a.example/?q=1").searchParams.get("q")`:                  `"1"`,
		`return [3, 1, 2].sort((a, b) => a - b)`:                                         `[1,2,3]`,
		`export default async () => [1, 2].map((x) => x * 2)`:                            `[2,4]`,
	} {
		c.mustRun(script, want)
	}
	for script, kind := range map[string]string{
		`for (;;) {}`: "timeout",
		`const a = []; for (;;) a.push(new Array(1e6).fill(1.5))`: "memory_limit",
	} {
		if env := c.run(script); env.Kind != kind {
			t.Errorf("%s ended as %s: %s", script, ended(env), env.Message)
		}
	}
	out, code := runBinary(t, env, "", "doctor")
	if code != 0 || !strings.Contains(out, "jitless") {
		t.Errorf("doctor: exit %d, %s", code, out)
	}
}
