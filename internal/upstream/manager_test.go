package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
	"codemode-mcp/tests/fault"
)

var admin = policy.Principal{Role: policy.Admin}

// home is a manager with what it published last.
type home struct {
	*Manager
	t  *testing.T
	mu sync.Mutex
	// tools is what was published last; guarded by mu.
	tools []catalog.Tool
}

// open starts a manager over faults, by name, beside a healthy neighbour.
func open(t *testing.T, opts Options, faults ...string) *home {
	t.Helper()
	h := &home{t: t}
	for _, f := range append(faults, "healthy") {
		name, _, _ := strings.Cut(f, "=")
		opts.Servers = append(opts.Servers, config.Server{Key: name, Name: name, Command: os.Args[0], Protocol: "auto", Role: policy.Admin,
			Env: map[string]string{fault.Variable: f}, Digest: name})
	}
	opts.Env = config.ChildEnv()
	opts.Publish = func(tools []catalog.Tool) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.tools = tools
	}
	opts.Log = func(server, event string, _ bool) { t.Logf("%s %s", server, event) }
	h.Manager = New(opts)
	h.Open()
	t.Cleanup(h.Close)
	return h
}

func (h *home) settle() {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := h.Settled(ctx); err != nil {
		h.t.Fatal("the servers did not settle")
	}
}

func (h *home) all() []catalog.Tool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.tools)
}

func (h *home) names(server string) []string {
	var out []string
	for _, t := range h.all() {
		if t.Server == server {
			out = append(out, t.Name)
		}
	}
	return out
}

// call calls a tool as the dispatcher would.
func (h *home) call(ctx context.Context, server, name, do string) (*catalog.Result, error) {
	h.t.Helper()
	for _, t := range h.all() {
		if t.Server == server && t.Name == name {
			ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
			defer cancel()
			return t.Invoke(ctx, json.RawMessage(`{"do":`+strconv.Quote(do)+`}`))
		}
	}
	h.t.Fatalf("there is no %s.%s", server, name)
	return nil, nil
}

// well fails the test when the neighbour was disturbed.
func (h *home) well() {
	h.t.Helper()
	res, err := h.call(context.Background(), "healthy", "echo", "echo")
	if err != nil || string(res.Structured) != `{"args":{"do":"echo"}}` {
		h.t.Errorf("the healthy neighbour was disturbed: %+v, %v", res, err)
	}
}

func (h *home) text(server, do string) string {
	h.t.Helper()
	res, err := h.call(context.Background(), server, "echo", do)
	if err != nil {
		return "error: " + err.Error()
	}
	if len(res.Content) == 0 {
		return string(res.Structured)
	}
	return res.Content[0].Text
}

func (h *home) state(server string) Status {
	for _, s := range h.Status() {
		if s.Name == server {
			return s
		}
	}
	h.t.Fatalf("no server %s", server)
	return Status{}
}

// Servers that behave badly at the start, and work all the same.
func TestStarts(t *testing.T) {
	h := open(t, Options{}, "garbage", "ignores", "picky", "late", "old", "stderr", "slow")
	h.settle()
	for _, name := range []string{"garbage", "ignores", "picky", "late", "old", "stderr", "slow"} {
		if s := h.state(name); s.State != stateReady || h.text(name, "echo") != "echo" {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s := h.state("old"); s.Protocol != "2024-11-05" {
		t.Errorf("got %+v", s)
	}
	if s := h.state("garbage"); len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "were no messages") {
		t.Errorf("got %+v", s)
	}
	h.well()
}

// Servers that never come up say why, and nobody waits for them.
func TestNeverUp(t *testing.T) {
	servers := []config.Server{
		{Name: "missing", Command: "no-such-binary", Role: policy.Admin},
		{Name: "exits", Command: os.Args[0], Env: map[string]string{fault.Variable: "exits", "PASSWORD": "hunter22"}, Secrets: []string{"hunter22"}},
		{Name: "problem", Command: "x", Problem: "the environment variable X is not set"},
		{Name: "off", Command: "x", Disabled: true},
	}
	h := open(t, Options{Servers: servers}, "mute")
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if h.Settled(ctx) == nil {
		t.Error("a mute server has settled")
	}
	h.well()
	for name, want := range map[string]string{
		"missing": "no-such-binary can't be started: executable file not found", "exits": "exit status 3; it said: cannot find the database; the password is ***",
		"problem": "variable X is not set", "off": "disabled", "mute": ""} {
		if s := h.state(name); !strings.Contains(s.Reason, want) || s.State == stateReady {
			t.Errorf("%s: %+v, want %q", name, s, want)
		}
		if name == "mute" {
			continue
		}
		again, why := h.Absent(context.Background(), admin, name+".tool")
		if again || !strings.Contains(why, want) {
			t.Errorf("%s is absent because %q, want %q", name, why, want)
		}
	}
	if again, why := h.Absent(context.Background(), policy.Principal{}, "missing.tool"); again || why != "" {
		t.Errorf("a viewer hears of a server of the admin: %s", why)
	}
	start := time.Now()
	if again, why := h.Absent(ctx, admin, "mute__tool"); again || !strings.Contains(why, "still starting") {
		t.Errorf("got %v %q after %v", again, why, time.Since(start))
	}
}

// What an entry denies is told of names that mean its server, and of no others.
func TestWhyHidden(t *testing.T) {
	p := &peer{cfg: config.Server{Name: "my-tracker", Deny: []string{"delete_*"}, Allow: []string{"get_*"}}, idents: idents("my-tracker")}
	p.rules.Store(&p.cfg)
	for name, hidden := range map[string]bool{
		"my-tracker.delete_issue": true, "my_tracker.delete_issue": true, "my-tracker__delete_issue": true, "my-tracker/delete_x": true,
		"my-tracker.get_issue": false, "my-tracker.put_issue": false, "my-tracker": false, "my-tracker.": false, "other.delete_issue": false, "delete_issue": false,
	} {
		if why := p.whyHidden(name); (why != "") != hidden || hidden && !strings.Contains(why, "is hidden by the configuration of the server my-tracker (deny)") {
			t.Errorf("%s: %q", name, why)
		}
	}
}

func TestCalls(t *testing.T) {
	dir := t.TempDir()
	h := open(t, Options{MaxResult: 4 << 20}, "calls="+filepath.Join(dir, "cancelled"))
	h.settle()
	const s = "calls"
	for do, want := range map[string]string{
		"echo": "echo", "utf8": "a\uFFFDb", "bytes": "héllo – 👍🏽 漢字", "twice": "one", "null": "", "nothing": "",
		"big":  `{"z":9007199254740993,"a":12345678901234567890}`,
		"rpc":  "error: boom",
		"huge": "error: the result has more than", "hugefirst": "error: the result has more than",
	} {
		if got := h.text(s, do); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: got %.200q, want %q", do, got, want)
		}
	}
	if res, err := h.call(context.Background(), s, "echo", "hologram"); err != nil || len(res.Content) != 2 || string(res.Content[0].Raw) != `{"type":"hologram","x":1}` || string(res.Content[1].Raw) != "{}" {
		t.Errorf("got %+v, %v", res, err)
	}
	if res, err := h.call(context.Background(), s, "echo", "error"); err != nil || !res.IsError {
		t.Errorf("got %+v, %v", res, err)
	}
	var own *Error
	if _, err := h.call(context.Background(), s, "echo", "rpc"); !errors.As(err, &own) || *own.Code != -32602 {
		t.Errorf("got %v", err)
	}
	if _, err := h.call(context.Background(), s, "echo", "huge"); !errors.As(err, &own) || !own.Large {
		t.Errorf("got %v", err)
	}

	// Answers for nobody leave the caller waiting, until it gives up.
	short, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := h.call(short, s, "echo", "wrongid"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	// Giving up reaches the server.
	if _, err := h.call(short, s, "echo", "sleep"); err == nil {
		t.Error("a call outlived its context")
	}
	short, cancel = context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := h.call(short, s, "echo", "sleep"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	eventually(t, "the server hears of the end of a call", func() bool {
		text, _ := os.ReadFile(filepath.Join(dir, "cancelled"))
		return string(text) == "cancelled"
	})

	var told []catalog.Progress
	ctx := catalog.WithProgress(context.Background(), func(p catalog.Progress) { told = append(told, p) })
	if _, err := h.call(ctx, s, "echo", "progress"); err != nil || len(told) != 1 || told[0].Message != "half" {
		t.Errorf("got %v, %v", told, err)
	}
	h.well()
}

// A child sees nothing of our environment but what it needs.
func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET_OF_TEST", "x")
	h := open(t, Options{}, "calls")
	h.settle()
	got := h.text("calls", "env")
	if strings.Contains(got, "SECRET_OF_TEST") || !strings.Contains(got, `"PATH=`) || !strings.Contains(got, fault.Variable) {
		t.Errorf("got %s", got)
	}
}

func TestLists(t *testing.T) {
	h := open(t, Options{}, "cursor", "pages", "odd", "list")
	h.settle()
	if got := h.names("cursor"); !slices.Equal(got, []string{"echo"}) || len(h.state("cursor").Warnings) == 0 {
		t.Errorf("cursor: %v, %+v", got, h.state("cursor"))
	}
	if got := h.names("pages"); len(got) != 120 {
		t.Errorf("pages: %d tools", len(got))
	}
	if got := h.names("odd"); !slices.Equal(got, []string{"echo", "noschema", "badschema", "ordered", "__proto__", "by_id"}) {
		t.Errorf("odd: %v", got)
	}
	if w := h.state("odd").Warnings; len(w) != 5 {
		t.Errorf("odd: %d warnings: %q", len(w), w)
	}
	for _, tool := range h.all() {
		if tool.Name == "ordered" && string(tool.InputSchema) != `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}` {
			t.Errorf("the schema changed: %s", tool.InputSchema)
		}
	}
	h.text("list", "add")
	eventually(t, "the new tool is offered", func() bool { return slices.Equal(h.names("list"), []string{"echo", "more"}) })
	h.well()
}

// A server that dies fails the call under way, keeps its tools listed as stale,
// and comes back.
func TestCrash(t *testing.T) {
	h := open(t, Options{}, "calls="+filepath.Join(t.TempDir(), "died"))
	h.settle()
	_, err := h.call(context.Background(), "calls", "echo", "die")
	if err == nil || !strings.Contains(err.Error(), "ended while the call was under way: it ended with exit status 7; it said: panic: out of cheese") {
		t.Errorf("got %v", err)
	}
	eventually(t, "the server comes back", func() bool { return h.state("calls").State == stateReady && h.text("calls", "die") == "alive again" })
	h.well()
}

func TestStale(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	first := open(t, Options{CacheDir: cache}, "calls")
	first.settle()
	first.Close()
	old := filepath.Join(cache, "old.json")
	if err := errors.Join(os.WriteFile(old, nil, 0o600), os.Chtimes(old, time.Time{}, time.Now().Add(-2*maxCacheAge))); err != nil {
		t.Fatal(err)
	}
	(&Manager{opts: Options{CacheDir: cache}}).pruneCache()
	files, _ := filepath.Glob(filepath.Join(cache, "*.json"))
	if len(files) != 2 {
		t.Fatalf("kept %v", files)
	}
	info, err := os.Stat(files[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	h := &home{t: t}
	h.Manager = New(Options{CacheDir: cache, Env: config.ChildEnv(),
		Servers: []config.Server{{Name: "calls", Digest: "calls", Command: "no-such-binary"}},
		Publish: func(tools []catalog.Tool) { h.mu.Lock(); h.tools = tools; h.mu.Unlock() }})
	h.Open()
	defer h.Close()
	if got := h.names("calls"); !slices.Equal(got, []string{"echo"}) || !h.all()[0].Stale {
		t.Fatalf("offered %v", got)
	}
	h.settle()
	if got := h.text("calls", "echo"); !strings.Contains(got, "the server calls is down: no-such-binary can't be started") {
		t.Errorf("got %s", got)
	}
}

// Closing ends every process of every server, also those that do not want to.
func TestClose(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	h := open(t, Options{}, "grandchild="+pidFile, "stubborn", "mute")
	eventually(t, "the servers are up", func() bool {
		return h.state("grandchild").State == stateReady && h.state("stubborn").State == stateReady
	})
	start := time.Now()
	h.Close()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("closing took %v", d)
	}
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(string(text))
	eventually(t, "the grandchild is gone", func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) })
}

func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(text), ") Z ")
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Errorf("%s: not within 10 s", what)
}
