package tests

import (
	"strconv"
	"strings"
	"testing"

	"codemode-mcp/internal/limits"
	"codemode-mcp/internal/sandbox/wire"
)

// A frame has room for what the highest limits allow.
func TestFramesFitTheLimits(t *testing.T) {
	const (
		utf8Unit = 3        // bytes of UTF-8 that a UTF-16 unit may take
		result   = 12 << 20 // bridge's bound, in UTF-16 units
		other    = 1 << 20
	)
	kb := func(env string) int { return limits.Highest(env) << 10 }
	for name, size := range map[string]int{
		"the end of a run":    utf8Unit*(result+kb("CODE_MODE_MAX_STATE_KB")) + other,
		"a call":              kb("CODE_MODE_MAX_ARGS_KB") + other,
		"a script with input": kb("CODE_MODE_MAX_SCRIPT_KB") + kb("CODE_MODE_MAX_ARGS_KB") + other,
	} {
		if size > wire.MaxFrame {
			t.Errorf("%s may have %d bytes, a frame %d", name, size, wire.MaxFrame)
		}
	}
}

// With every limit at its upper end nothing that is allowed breaks a worker, and
// what is more is refused with words.
func TestHighestLimits(t *testing.T) {
	env := []string{"CODE_MODE_MAX_MEMORY_MB=512"}
	for _, name := range []string{"MAX_ARGS_KB", "MAX_STATE_KB", "MAX_RESULT_CHARS", "MAX_LOG_KB", "MAX_TOOL_RESULT_KB", "MAX_SCRIPT_KB"} {
		env = append(env, "CODE_MODE_"+name+"="+strconv.Itoa(limits.Highest("CODE_MODE_"+name)))
	}
	c := startClient(t, env, "serve", "--log-level", "error")
	tests := []struct{ name, script, kind, words string }{
		{"state far above", `state.a = "x".repeat(45e6); return 1`, "", "state.a was not kept"},
		{"state of many keys", `for (let i = 0; i < 40; i++) state["k" + i] = "x".repeat(1e6); return 1`, "", "was not kept"},
		{"state in bytes", `state.a = "\u20ac".repeat(1.4e6); return 1`, "", "state.a was not kept"},
		{"arguments in bytes", `await callTool("none", {c: "\u20ac".repeat(16e6)})`, "exception", "RangeError: tools.none: the arguments have"},
		{"arguments that just fit", `await callTool("none", {c: "\u20ac".repeat(5.4e6)})`, "exception", "no tool is named"},
		{"result with state", `state.b = "\u20ac".repeat(1.3e6); return "\u20ac".repeat(12e6)`, "", "was cut"},
		{"result above", `return "x".repeat(13e6)`, "result_not_serializable", "at most 12582912"},
		{"finish", `finish("\u20ac".repeat(12e6))`, "", "was cut"},
		{"a giant block", `emit({type: "text", text: "x".repeat(7e7)})`, "exception", "RangeError: emit"},
		{"a giant question", `return (await searchTools("x".repeat(6e7))).length`, "", ""},
		{"a giant name", `return (await describeTool("x".repeat(6e7)).catch((e) => e.message)).length < 1000`, "", ""},
		{"a giant script", `return "` + strings.Repeat("x", 4_190_000) + `".length`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := c.run(tt.script)
			said := env.Message + strings.Join(env.Warnings, "")
			if env.Kind != tt.kind || !strings.Contains(said, tt.words) {
				t.Errorf("ended as %s: %s", ended(env), cutText(said))
			}
		})
	}
	c.mustRun("return 1", "1")
}
