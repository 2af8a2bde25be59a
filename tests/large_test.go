package tests

import (
	"fmt"
	"strings"
	"testing"
)

// Large scripts run, or fail with their own line (case SYN-11).
func TestLargeScripts(t *testing.T) {
	c := startClient(t, []string{"CODE_MODE_MAX_SCRIPT_KB=4096"}, "serve", "--log-level", "error")
	var lines strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&lines, "let v%d = %d;\n", i, i)
	}
	env := c.run(lines.String() + "throw new Error('end')")
	if env.Line != 20_001 || env.Message != "Error: end" {
		t.Errorf("%s %q in line %d", env.Kind, env.Message, env.Line)
	}
	c.mustRun(lines.String()+"v19999", "19999")
	c.mustRun("const d = '"+strings.Repeat("x", 2_000_000)+"'; return d.length", "2000000")
	c.mustRun(strings.Repeat("globalThis.x = 1;", 60_000)+"return x", "1")
	for _, deep := range []string{"return " + strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000), strings.Repeat("(", 1<<20), strings.Repeat("const n: number = -", 1<<17)} {
		if env := c.run(deep); env.Kind != "syntax_error" {
			t.Errorf("%.30s...: %s %s", deep, env.Kind, env.Message)
		}
	}
	c.mustRun("return 1", "1")
}

// Two runs side by side do not lose each other's keys.
func TestStateOfTwoRuns(t *testing.T) {
	c := startClient(t, nil, "serve", "--log-level", "error")
	_, slow := c.send("tools/call", c.execute(`state.slow = 1; await sleep(300); return 1`))
	c.mustRun(`state.fast = 1; return 1`, "1")
	c.envelope(c.await(slow))
	c.mustRun(`return [state.slow, state.fast]`, "[1,1]")
}

// What is logged is bounded, and the result is there all the same (cases LOG-01,
// LOG-04, LOG-05).
func TestLogsNeverHideTheResult(t *testing.T) {
	c := startClient(t, []string{"CODE_MODE_TIMEOUT_SECONDS=10"}, "serve", "--log-level", "error")
	for _, script := range []string{
		`for (let i = 0; i < 1e5; i++) console.log(i); return "ok"`,
		`const c = { big: "y".repeat(1e6) }; c.c = c; for (let i = 0; i < 100; i++) console.log(c, 1n, Symbol("s")); return "ok"`,
		`console.log("x".repeat(1e7)); return "ok"`,
	} {
		env := c.run(script)
		if string(env.Result) != `"ok"` || len(strings.Join(env.Logs, "")) > 70_000 {
			t.Errorf("%s: %s %s, %d bytes of logs", script, env.Result, env.Message, len(strings.Join(env.Logs, "")))
		}
	}
}
