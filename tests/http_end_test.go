package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// ending is one sort of request that is under way when the server is told to end.
type ending struct {
	name, script string
	want         []string // kinds that are right, "" being success
}

var endings = []ending{
	{"short sleep", `await sleep(1500); return 'whole'`, []string{"", "cancelled"}},
	{"long sleep", `await sleep(29000); return 'whole'`, []string{"cancelled"}},
	{"endless", `for (;;) {}`, []string{"cancelled"}},
	{"memory", `const a = []; for (;;) { a.push(new Array(1e4).fill(0.5)); await sleep(20) }`, []string{"cancelled", "memory_limit"}},
	{"a tool that hangs", `return await tools.one.echo({do: "gate", file: args.gate})`, []string{"cancelled"}},
	{"not to be stopped", `for (;;) { try { await sleep(29000) } finally { for (;;) {} } }`, []string{"cancelled"}},
}

// SIGTERM under load: what runs comes to its end or says that it was cancelled, what
// comes later is refused, nothing hangs, and no process stays.
func TestHTTPEndUnderLoad(t *testing.T) {
	entry, _ := json.Marshal(with(upstreams{}.entry("calls"), "role", "viewer"))
	config, tokens := teamConfig(`"http":{"drainSeconds":3,"requestsPerSecond":10000,"addressRequestsPerSecond":10000},"mcpServers":{"one":` + string(entry) + `},`)
	e := startHTTP(t, config, "--metrics", "127.0.0.1:0")
	people := []string{"vera", "eddy", "ada", "bea"}
	gate := t.TempDir() + "/gate"
	if env := e.join(modernEra, tokens["ada"]).run(`return (await tools.one.echo({a: 1})).args.a`); string(env.Result) != "1" {
		t.Fatalf("%+v", env)
	}

	type open struct {
		ending
		era      string
		answered chan answer
	}
	var all []open
	for n := range 48 {
		kind := endings[n%len(endings)]
		u := e.join([]string{legacyEra, modernEra}[n/len(endings)%2], tokens[people[n%len(people)]])
		params, _ := json.Marshal(map[string]any{"name": "execute_script", "arguments": map[string]any{
			"script": kind.script, "arguments": map[string]any{"gate": fmt.Sprint(gate, n)}}})
		answered, drop := u.start("tools/call", string(params))
		defer drop()
		all = append(all, open{kind, u.era, answered})
	}
	listening, hangUp := e.join(legacyEra, tokens["ada"]).listen()
	defer hangUp()
	e.await(runsRunning, float64(len(all)))

	// Others go on sending until nobody takes it any more.
	quit, cancel := context.WithCancel(context.Background())
	defer cancel()
	var senders sync.WaitGroup
	var served, refused atomic.Int64
	for n := range 6 {
		u := e.join([]string{legacyEra, modernEra}[n%2], tokens[people[n%len(people)]])
		senders.Go(func() {
			for quit.Err() == nil {
				header, body := u.request("tools/call", `{"name":"execute_script","arguments":{"script":"return 'short'"}}`)
				a, err := e.do(context.Background(), http.MethodPost, e.url, header, body)
				switch {
				case err != nil: // no connection is taken any more
					refused.Add(1)
					return
				case a.status != http.StatusOK:
					refused.Add(1)
					if a.status != http.StatusServiceUnavailable || a.last().Error == nil || a.header.Get("Retry-After") == "" {
						t.Errorf("a later request: %d %s", a.status, a.body)
					}
					time.Sleep(10 * time.Millisecond)
				default:
					served.Add(1)
					if env, err := a.envelope(); err != nil || string(env.Result) != `"short"` && env.Kind != "cancelled" {
						t.Errorf("a short script: %v %s", err, a.body)
					}
				}
			}
		})
	}
	eventually(t, "short scripts are served", func() bool { return served.Load() >= 20 })
	workers := children(t, e.cmd.Process.Pid)

	e.signal(syscall.SIGTERM)
	for n, o := range all {
		select {
		case a := <-o.answered:
			if env, err := a.envelope(); err != nil || !slices.Contains(o.want, env.Kind) {
				t.Errorf("%d, %s in %s: %v, kind %q: %d %.300s", n, o.name, o.era, err, env.Kind, a.status, a.body)
			}
		case <-time.After(patience):
			t.Fatalf("%d, %s in %s has no answer", n, o.name, o.era)
		}
	}
	<-listening
	if err := e.ended(); err != nil {
		t.Errorf("exit: %v", err)
	}
	cancel()
	senders.Wait()
	if refused.Load() == 0 {
		t.Error("nothing was refused")
	}
	for _, pid := range workers {
		eventually(t, fmt.Sprintf("process %d is gone", pid), func() bool { return !alive(pid) })
	}
}

// A server that is killed leaves no worker and no upstream server behind, whatever they do.
func TestHTTPKilled(t *testing.T) {
	entry, _ := json.Marshal(with(upstreams{}.entry("calls"), "role", "viewer"))
	config, tokens := teamConfig(`"mcpServers":{"one":` + string(entry) + `},`)
	e := startHTTP(t, config, "--metrics", "127.0.0.1:0")
	for _, kind := range endings {
		params, _ := json.Marshal(map[string]any{"name": "execute_script", "arguments": map[string]any{
			"script": kind.script, "arguments": map[string]any{"gate": t.TempDir() + "/gate"}}})
		_, drop := e.join(modernEra, tokens["ada"]).start("tools/call", string(params))
		defer drop()
	}
	e.await(runsRunning, float64(len(endings)))
	left := children(t, e.cmd.Process.Pid)
	if len(left) <= len(endings) {
		t.Fatalf("%d processes", len(left))
	}
	e.signal(syscall.SIGKILL)
	<-e.done
	for _, pid := range left {
		eventually(t, fmt.Sprintf("process %d is gone", pid), func() bool { return !alive(pid) })
	}
}

// Progress goes to the request that asked for it, although every one of them, of two
// principals and of two sessions of one, gave the same token.
func TestHTTPProgressIsOnesOwn(t *testing.T) {
	config, tokens := teamConfig("")
	e := startHTTP(t, config, "--workspace", workspaceOf(t, map[string]string{"a.txt": "hello"}))
	calls := map[string]string{
		"read_file":      `tools.read_file({path: "a.txt"})`,
		"glob":           `tools.glob({pattern: "*"})`,
		"file_info":      `tools.file_info({path: "a.txt"})`,
		"list_directory": `tools.list_directory({path: "."})`,
	}
	for _, era := range []string{legacyEra, modernEra} {
		answers := map[string]chan answer{}
		for i, tool := range slices.Sorted(maps.Keys(calls)) {
			u := e.join(era, tokens[[]string{"ada", "bea"}[i%2]])
			params, _ := json.Marshal(map[string]any{"name": "execute_script", "_meta": map[string]any{"progressToken": "p"},
				"arguments": map[string]any{"script": `for (let i = 0; i < 8; i++) { await ` + calls[tool] + `; await sleep(60) } return 1`}})
			answered, drop := u.start("tools/call", string(params))
			defer drop()
			answers[tool] = answered
		}
		for tool, answered := range answers {
			a := <-answered
			if env, err := a.envelope(); err != nil || string(env.Result) != "1" {
				t.Errorf("%s, %s: %v %s", era, tool, err, a.body)
			}
			if n := len(a.msgs); n < 3 || !strings.Contains(a.body, "call 1: "+tool) {
				t.Errorf("%s, %s: no progress: %s", era, tool, a.body)
			}
			for other := range calls {
				if other != tool && strings.Contains(a.body, ": "+other) {
					t.Errorf("%s: who called %s sees %s: %s", era, tool, other, a.body)
				}
			}
		}
	}
}
