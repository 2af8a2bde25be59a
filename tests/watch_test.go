package tests

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// watched is a server that watches its config file.
type watched struct {
	*client
	t    *testing.T
	file string
	log  *logBuffer
}

// startWatched begins with the given settings.
func startWatched(t *testing.T, settings map[string]any) *watched {
	t.Helper()
	dir := t.TempDir()
	w := &watched{t: t, file: filepath.Join(dir, "conf", "config.json"), log: &logBuffer{}}
	if err := os.Mkdir(filepath.Dir(w.file), 0o755); err != nil {
		t.Fatal(err)
	}
	w.write(settings)
	w.client = startLogged(t, w.log, []string{"CODE_MODE_CACHE_DIR=" + filepath.Join(dir, "cache")}, "serve", "--watch", "--config", w.file, "--log-format", "json")
	return w
}

// write replaces the file as editors do: a new one, renamed over the old.
func (w *watched) write(settings any) {
	w.t.Helper()
	text, err := json.Marshal(settings)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.file+".new", text, 0o600); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(w.file+".new", w.file); err != nil {
		w.t.Fatal(err)
	}
}

// change writes the file and waits until it was taken.
func (w *watched) change(settings any) {
	w.t.Helper()
	n := w.log.count("configuration reloaded")
	w.write(settings)
	w.until("the file is taken", func() bool { return w.log.count("configuration reloaded") > n })
}

func (w *watched) until(what string, ok func() bool) {
	w.t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("waited in vain until %s; the log:\n%s", what, w.log)
		}
	}
}

// with is a copy of an entry with further keys.
func with(entry map[string]any, pairs ...any) map[string]any {
	entry = maps.Clone(entry)
	for i := 0; i < len(pairs); i += 2 {
		entry[pairs[i].(string)] = pairs[i+1]
	}
	return entry
}

// A changed file changes limits, roles and disabled servers, and starts nothing.
func TestWatch(t *testing.T) {
	one, two := upstreams{}.entry("calls"), upstreams{}.entry("odd")
	servers := func(entries ...any) map[string]any {
		out := map[string]any{}
		for i := 0; i < len(entries); i += 2 {
			out[entries[i].(string)] = entries[i+1]
		}
		return out
	}
	w := startWatched(t, map[string]any{"mcpServers": servers("one", one, "two", with(two, "disabled", true))})
	w.mustRun(`return (await tools.one.echo({a: 1})).args`, `{"a":1}`)
	w.mustFail(`return await tools.two.echo()`, "no tool is named")

	t.Run("limits", func(t *testing.T) {
		w.change(map[string]any{"limits": map[string]any{"CODE_MODE_MAX_TOOL_CALLS": 1, "CODE_MODE_MAX_MEMORY_MB": 32}, "mcpServers": servers("one", one, "two", with(two, "disabled", true))})
		w.mustFail(`for (;;) await tools.one.echo()`, "limit of 1 tool call")
		if !w.log.has("wait for a restart", "CODE_MODE_MAX_MEMORY_MB") {
			t.Errorf("the log does not say that memory waits for a restart:\n%s", w.log)
		}
	})
	t.Run("disabled", func(t *testing.T) {
		w.change(map[string]any{"mcpServers": servers("one", with(one, "disabled", true), "two", two)})
		w.mustFail(`return await tools.one.echo()`, "is disabled in the configuration")
		w.mustRun(`return (await tools.two.echo({b: 1})).args`, `{"b":1}`)
		if got := w.tools(); slices.Contains(got, "one__echo") || !slices.Contains(got, "two__echo") {
			t.Errorf("listed %v", got)
		}
	})
	t.Run("again", func(t *testing.T) {
		w.change(map[string]any{"mcpServers": servers("one", one)})
		w.mustRun(`return (await tools.one.echo({c: 1})).args`, `{"c":1}`)
		w.mustFail(`return await tools.two.echo()`, "was removed from the configuration")
	})
	t.Run("rules of a server", func(t *testing.T) {
		w.change(map[string]any{"mcpServers": servers("one", with(one, "deny", []string{"echo"}))})
		w.mustFail(`return await tools.one.echo()`, "no tool is named")
		w.change(map[string]any{"mcpServers": servers("one", one)})
	})
	t.Run("role", func(t *testing.T) {
		w.change(map[string]any{"role": "viewer", "mcpServers": servers("one", one)})
		w.mustFail(`return await tools.one.echo()`, "needs the role admin")
		w.change(map[string]any{"role": "viewer", "mcpServers": servers("one", with(one, "role", "viewer"))})
		w.mustRun(`return (await tools.one.echo({d: 1})).args`, `{"d":1}`)
		w.change(map[string]any{"mcpServers": servers("one", one)})
	})
	t.Run("nothing is started", func(t *testing.T) {
		mark := filepath.Join(t.TempDir(), "started")
		evil := map[string]any{"command": "/bin/sh", "args": []string{"-c", "touch " + mark}}
		w.change(map[string]any{"mcpServers": servers("one", with(one, "args", []string{"-x"}, "role", "viewer"), "evil", evil)})
		w.mustRun(`return (await tools.one.echo({e: 1})).args`, `{"e":1}`)
		w.mustFail(`return await tools.evil.x()`, "the server evil is new in the configuration and waits for a restart")
		if !w.log.has("wait for a restart", "the server one has changed") {
			t.Errorf("the log does not name the changed server:\n%s", w.log)
		}
		w.change(map[string]any{"mcpServers": servers("one", with(one, "command", "/bin/sh", "args", []string{"-c", "touch " + mark}, "disabled", true))})
		w.change(map[string]any{"mcpServers": servers("one", with(one, "command", "/bin/sh", "args", []string{"-c", "touch " + mark}))})
		w.mustRun(`return (await tools.one.echo({f: 1})).args`, `{"f":1}`)
		if _, err := os.Stat(mark); err == nil {
			t.Error("a reload started a new command")
		}
		w.change(map[string]any{"mcpServers": servers("one", one)})
	})
	t.Run("a new server is told to whom it may concern", func(t *testing.T) {
		payroll := with(two, "role", "admin")
		w.change(map[string]any{"mcpServers": servers("one", one, "payroll", payroll)})
		w.mustFail(`return await tools.payroll.echo()`, "is new in the configuration")
		w.change(map[string]any{"role": "viewer", "mcpServers": servers("one", one, "payroll", payroll)})
		if env := w.run(`return await tools.payroll.echo()`); strings.Contains(env.Message+env.Hint, "configuration") {
			t.Errorf("a viewer hears of it: %s %s", env.Message, env.Hint)
		}
		w.change(map[string]any{"mcpServers": servers("one", one)})
	})
	t.Run("sampling", func(t *testing.T) {
		w.change(map[string]any{"mcpServers": servers("one", with(one, "sampling", true))})
		if !w.log.has("wait for a restart", "one may use sampling") {
			t.Errorf("the log does not say that sampling waits for a restart:\n%s", w.log)
		}
		w.change(map[string]any{"mcpServers": servers("one", one)})
	})
	t.Run("mistakes", func(t *testing.T) {
		n := w.log.count("was not taken")
		if err := os.WriteFile(w.file, []byte(`{"mcpServers": {"one": {"comma`), 0o600); err != nil {
			t.Fatal(err)
		}
		w.until("the half-written file is refused", func() bool { return w.log.count("was not taken") > n })
		w.mustRun(`return (await tools.one.echo({g: 1})).args`, `{"g":1}`)
		w.change(map[string]any{"role": "editor", "mcpServers": servers("one", one)})
		w.mustFail(`return await tools.one.echo()`, "needs the role admin")
		w.change(map[string]any{"mcpServers": servers("one", one)})
	})
	t.Run("a link", func(t *testing.T) {
		real := filepath.Join(t.TempDir(), "elsewhere.json")
		text, _ := json.Marshal(map[string]any{"role": "editor", "mcpServers": servers("one", one)})
		for _, err := range []error{os.WriteFile(real, text, 0o600), os.Symlink(real, w.file+".link")} {
			if err != nil {
				t.Fatal(err)
			}
		}
		n := w.log.count("configuration reloaded")
		if err := os.Rename(w.file+".link", w.file); err != nil {
			t.Fatal(err)
		}
		w.until("the link is taken", func() bool { return w.log.count("configuration reloaded") > n })
		text, _ = json.Marshal(map[string]any{"mcpServers": servers("one", one)})
		if err := os.WriteFile(real, text, 0o600); err != nil {
			t.Fatal(err)
		}
		w.until("the linked file is taken", func() bool { return w.log.count("configuration reloaded") > n+1 })
		w.mustRun(`return (await tools.one.echo({h: 1})).args`, `{"h":1}`)
	})
}

// A run under way, and a call of it to a server that is disabled meanwhile, go on
// to their end.
// A file that goes away, or is no file any more, is told of once; what was read last stays,
// and the file is taken when it comes back.
func TestWatchedFileGoes(t *testing.T) {
	settings := map[string]any{"mcpServers": map[string]any{"one": upstreams{}.entry("calls")}}
	w := startWatched(t, settings)
	w.mustRun(`return (await tools.one.echo()).args`, `{}`)
	said := func() int { return w.log.count("the last one stays until it can") }
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Remove(w.file))
	w.until("its end is told", func() bool { return said() == 1 })
	must(os.Mkdir(w.file, 0o755))
	w.mustRun(`return (await tools.one.echo({a: 1})).args`, `{"a":1}`)
	must(os.Remove(w.file))
	w.change(settings)
	must(os.Remove(w.file))
	must(syscall.Mkfifo(w.file, 0o600))
	w.until("the pipe is told of", func() bool { return said() == 2 })
	must(os.Remove(w.file))
	settings["limits"] = map[string]any{"CODE_MODE_MAX_TOOL_CALLS": 1}
	w.change(settings)
	w.mustFail(`for (;;) await tools.one.echo()`, "limit of 1 tool call")
	if said() != 2 {
		t.Errorf("told of %d times:\n%s", said(), w.log)
	}
}

func TestWatchKeepsRuns(t *testing.T) {
	dir := t.TempDir()
	w := startWatched(t, map[string]any{"mcpServers": map[string]any{"one": upstreams{}.entry("calls")}})
	w.mustRun(`return (await tools.one.echo()).args`, `{}`)
	gate := filepath.Join(dir, "gate")
	_, answer := w.send("tools/call", `{"name":"execute_script","arguments":{"script":`+quote(
		`const first = await tools.one.echo({do: "gate", file: `+quote(gate)+`}); return [first, await tools.one.echo().catch((e) => e.message)]`)+`}}`)
	w.until("the call is there", func() bool { _, err := os.Stat(gate + ".waiting"); return err == nil })
	w.change(map[string]any{"mcpServers": map[string]any{"one": with(upstreams{}.entry("calls"), "disabled", true)},
		"limits": map[string]any{"CODE_MODE_MAX_TOOL_CALLS": 1}})
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	select {
	case m := <-answer:
		for _, want := range []string{"went through", "is disabled in the configuration"} {
			if !strings.Contains(string(m.Result), want) {
				t.Errorf("got %s, want %s", m.Result, want)
			}
		}
	case <-time.After(30 * time.Second):
		t.Fatal("no answer")
	}
}

// logBuffer is a server's log, to be looked at while it grows.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *logBuffer) count(s string) int { return strings.Count(b.String(), s) }

// has reports whether one line of the log holds all of the words.
func (b *logBuffer) has(words ...string) bool {
	for line := range strings.Lines(b.String()) {
		all := true
		for _, w := range words {
			all = all && strings.Contains(line, w)
		}
		if all {
			return true
		}
	}
	return false
}
