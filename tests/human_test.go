package tests

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A run's clock stands still while a person is asked and the script does nothing. It
// goes on for a script that computes meanwhile, and for one that waits for more.
func TestClockAndHumans(t *testing.T) {
	const deadline, answer = 2 * time.Second, 6 * time.Second
	tests := []struct {
		name, script, kind string
	}{
		{"waits", `return await tools.asks.ask({message: "who?"})`, ""},
		{"computes", `const p = tools.asks.ask({message: "who?"}); for (;;) {}`, "timeout"},
		{"computes in turns", `const p = tools.asks.ask({message: "who?"}); let on = true; p.then(() => { on = false });
while (on) { for (let i = 0; i < 3e7; i++); await sleep(0) } return await p`, "timeout"},
		{"sleeps, and that is idle", `const [a] = await Promise.all([tools.asks.ask({message: "who?"}), sleep(100)]); return a`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := &person{pause: answer}
			cmd := asksServer(t, upstreams{}.entry("asks"), testWriter{t})
			cmd.Env = append(cmd.Env, fmt.Sprintf("CODE_MODE_TIMEOUT_SECONDS=%d", int(deadline.Seconds())))
			s := p.client(t, cmd, "2025-11-25", true, false)
			start := time.Now()
			res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "execute_script", Arguments: map[string]any{"script": tt.script}})
			took := time.Since(start)
			if err != nil {
				t.Fatal(err)
			}
			var env envelope
			if err := json.Unmarshal([]byte(res.Content[0].(*mcp.TextContent).Text), &env); err != nil {
				t.Fatal(err)
			}
			if env.Kind != tt.kind || tt.kind == "" && string(env.Result) != `"accept Ada"` {
				t.Errorf("ended as %s after %v: %s, result %s", ended(env), took, env.Message, env.Result)
			}
			if tt.kind == "timeout" && took >= answer {
				t.Errorf("answered after %v, the deadline is %v", took, deadline)
			}
		})
	}
}
