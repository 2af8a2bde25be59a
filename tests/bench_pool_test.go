//go:build bench

package tests

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"codemode-mcp/internal/sandbox"
	"codemode-mcp/internal/sandbox/wire"
)

// echo answers every call with its own arguments, at once.
type echo struct{}

func (echo) Call(_ bool, _ string, args json.RawMessage, reply func(bool, json.RawMessage)) {
	reply(true, args)
}
func (echo) Log(string, string)   {}
func (echo) Emit(json.RawMessage) {}
func (echo) Ask(_ string, _ json.RawMessage, reply func(bool, json.RawMessage)) {
	reply(true, json.RawMessage("{}"))
}

// TestBenchPool measures the sandbox alone: no MCP, no dispatcher.
func TestBenchPool(t *testing.T) {
	p := sandbox.NewPool(sandbox.Options{Command: []string{binary, "worker"}, MemoryMB: 64, MaxWorkers: 16, Warm: 2, QueueWait: 10 * time.Second})
	p.Open()
	defer p.Close()
	run := func(script string) sandbox.Outcome {
		out := p.Run(context.Background(), "bench", sandbox.Job{
			Script: script, Timeout: 10 * time.Second,
			Names: sandbox.Names{Key: "1", JSON: []byte(`[{"server":"s","tools":["echo"]}]`)},
			Meta:  wire.Meta{MaxArgs: 1 << 20, MaxResult: 1 << 20, MaxLog: 1 << 16},
		}, echo{})
		if out.End != sandbox.Returned {
			t.Fatalf("%+v", out)
		}
		return out
	}
	report("pool: return 1, every 20 ms", measure(200, 20*time.Millisecond, func() { run("return 1") }))
	report("pool: 1 call, every 20 ms", measure(100, 20*time.Millisecond, func() { run("return await tools.echo({n: 1})") }))
	report("pool: 50 sequential calls", measure(100, 20*time.Millisecond, func() {
		run("let n = 0; for (let i = 0; i < 50; i++) n += (await tools.echo({n: i})).n; return n")
	}))
	report("pool: 50 parallel calls", measure(100, 20*time.Millisecond, func() {
		run("const r = await Promise.all(Array.from({length: 50}, (_, i) => tools.echo({n: i}))); return r.length")
	}))
}
