//go:build bench

package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/tests/fault"
)

// TestBenchUpstream measures calls of another server's tool, the start of many
// servers, and large catalogs.
func TestBenchUpstream(t *testing.T) {
	t.Setenv("CODE_MODE_MAX_TOOL_CALLS", "500")
	t.Setenv("CODE_MODE_TIMEOUT_SECONDS", "60")
	benchCalls(t)
	benchStart(t)
	benchCatalogs(t)
}

// benchCalls compares one call made directly with the SDK's client and from a
// script, in turns, so that both see the same machine.
func benchCalls(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fault.Variable+"=calls")
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).
		Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	c := startWith(t, upstreams{"s": "calls"})
	c.mustRun(`await tools.s.echo({}); return 1`, "1")
	const calls = 200
	script := fmt.Sprintf(`for (let i = 0; i < %d; i++) await tools.s.echo({n: i}); return 1`, calls)
	var direct, scripted []time.Duration
	for range 20 {
		start := time.Now()
		for i := range calls {
			if _, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"n": i}}); err != nil {
				t.Fatal(err)
			}
		}
		direct = append(direct, time.Since(start)/calls)
		start = time.Now()
		c.mustRun(script, "1")
		scripted = append(scripted, time.Since(start)/calls)
	}
	report("upstream: SDK client, one call", direct)
	report("upstream: script, one call", scripted)
	line("upstream: what the script's road adds", "%v", (scripted[len(scripted)/2] - direct[len(direct)/2]).Round(time.Microsecond))
}

// benchStart starts one slow server, and twenty.
func benchStart(t *testing.T) {
	for _, n := range []int{1, 20} {
		servers := upstreams{}
		for i := range n {
			servers[fmt.Sprint("s", i)] = "slow"
		}
		start := time.Now()
		c := startWith(t, servers)
		for i := range n {
			c.mustRun(fmt.Sprintf(`await tools.s%d.echo({}); return 1`, i), "1")
		}
		line(fmt.Sprintf("upstream: %d servers up (1.5 s each)", n), "%v", time.Since(start).Round(time.Millisecond))
		c.close()
	}
}

// benchCatalogs loads 3,000 tools of 40 servers, with schemas as large as those of
// the recorded catalogs.
func benchCatalogs(t *testing.T) {
	const servers, each = 40, 75
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/catalogs/filesystem.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Tools []map[string]any `json:"tools"`
	}
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	var tools []map[string]any
	for i := range each {
		tool := map[string]any{}
		for k, v := range recorded.Tools[i%len(recorded.Tools)] {
			tool[k] = v
		}
		tool["name"] = fmt.Sprintf("%s_%d", tool["name"], i)
		tools = append(tools, tool)
	}
	text, err = json.Marshal(map[string]any{"tools": tools})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "many.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	many := upstreams{}
	for i := range servers {
		many[fmt.Sprint("s", i)] = "replay=" + file
	}
	start := time.Now()
	c := startWith(t, many, "--expose", "both")
	for len(c.tools()) < servers*each {
		time.Sleep(10 * time.Millisecond)
	}
	loaded := time.Since(start)
	types := c.request("resources/read", `{"uri":"codemode://code-mode/sdk.d.ts"}`)
	typed := time.Since(start)
	c.mustRun("return Object.keys(tools).length + Object.keys(tools.s7).length", "115")
	mb, _ := memory(t, c.cmd.Process.Pid)
	line("upstream: 3,000 tools of 40 servers", "listed %v, typed %v (%d KB), server %d MB",
		loaded.Round(time.Millisecond), typed.Round(time.Millisecond), len(types.Result)>>10, mb)
}
