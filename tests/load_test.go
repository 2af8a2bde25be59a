//go:build load

package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The load test: make load. LOAD_SECONDS changes how long the mix runs.

const (
	loadPrincipals = 20
	loadSessions   = 200
)

// kind is one sort of request, and how often it comes.
type kind struct {
	name   string
	weight int
	script string
	// ends are the kinds of failure that are right; none means that it succeeds.
	ends []string
}

var kinds = []kind{
	{"short", 60, `return args.n`, nil},
	{"state", 10, `state.mine ??= args.who; return [args.n, state.mine]`, nil},
	{"tools", 15, `const r = await Promise.all(["a.txt","b.txt","c.txt"].map((path) => tools.read_file({path}))); return [args.n, r.map((x) => x.content).join("")]`, nil},
	{"long", 6, `await sleep(1500); return args.n`, nil},
	{"spin", 2, `for (;;) {}`, []string{"timeout"}},
	{"memory", 2, `const a = []; for (;;) a.push(new Array(1e5).fill(0.5))`, []string{"memory_limit", "timeout", "sandbox_crashed"}},
	{"throw", 2, `throw new Error("n" + args.n)`, []string{"exception"}},
	{"cancelled", 3, `await sleep(20000)`, []string{"cancelled"}},
}

// tally collects what came of requests.
type tally struct {
	mu     sync.Mutex
	times  map[string][]time.Duration // guarded by mu
	errors map[string]int             // guarded by mu
	wrong  []string                   // guarded by mu: lost, crossed, leaked
}

func newTally() *tally {
	return &tally{times: map[string][]time.Duration{}, errors: map[string]int{}}
}

func (l *tally) took(kind string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.times[kind] = append(l.times[kind], d)
}

func (l *tally) failed(kind, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errors[kind+": "+why]++
}

func (l *tally) bad(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.wrong) < 20 {
		l.wrong = append(l.wrong, fmt.Sprintf(format, args...))
	}
}

func quantile(d []time.Duration, q float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[min(len(d)-1, int(q*float64(len(d))))]
}

// caller is one session that works.
type caller struct {
	user
	name, handle string
	id           int
}

// call runs one script and gives its envelope.
func (c *caller) call(ctx context.Context, script string, args map[string]any) (envelope, int, error) {
	in := map[string]any{"script": script, "arguments": args}
	if c.handle != "" {
		in["session"] = c.handle
	}
	params, err := json.Marshal(map[string]any{"name": "execute_script", "arguments": in})
	if err != nil {
		return envelope{}, 0, err
	}
	header, body := c.request("tools/call", string(params))
	c.id++
	body = strings.Replace(body, `"id":1,`, fmt.Sprintf(`"id":%d,`, c.id), 1)
	a, err := c.e.do(ctx, http.MethodPost, c.e.url, header, body)
	if err != nil {
		return envelope{}, a.status, err
	}
	if m := a.last(); m.ID == nil || *m.ID != c.id {
		return envelope{}, a.status, fmt.Errorf("the answer to %d is %.200s", c.id, a.body)
	}
	env, err := a.envelope()
	return env, a.status, err
}

// work sends requests of the mix until the time is over.
func (c *caller) work(until time.Time, n int, l *tally) {
	weights := 0
	for _, k := range kinds {
		weights += k.weight
	}
	for i := 0; ; i++ {
		time.Sleep(rand.N(4 * time.Second)) // models think
		if time.Now().After(until) {
			return
		}
		pick, k := rand.IntN(weights), kind{}
		for _, k = range kinds {
			if pick -= k.weight; pick < 0 {
				break
			}
		}
		c.once(k, fmt.Sprintf("%d-%d", n, i), l)
	}
}

func (c *caller) once(k kind, nonce string, l *tally) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if k.name == "cancelled" {
		timer := time.AfterFunc(300*time.Millisecond, cancel)
		defer timer.Stop()
	}
	start := time.Now()
	env, status, err := c.call(ctx, k.script, map[string]any{"n": nonce, "who": c.name})
	switch {
	case k.name == "cancelled" && ctx.Err() != nil:
		l.took(k.name, time.Since(start))
		if c.era != modernEra { // in the old era the run goes on: tell the server
			_, _ = c.e.do(context.Background(), http.MethodPost, c.e.url, c.headers("", ""), fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, c.id))
		}
		return
	case err != nil && status != http.StatusOK && status != 0:
		l.failed(k.name, fmt.Sprintf("HTTP %d", status))
		return
	case err != nil:
		l.bad("%s of %s: %v", k.name, c.name, err)
		return
	}
	if env.Session != "" {
		if k.name == "state" && c.handle == "" || c.handle != "" {
			c.handle = env.Session
		}
	}
	l.took(k.name, time.Since(start))
	if env.Error != "" {
		if !slices.Contains(k.ends, env.Kind) {
			l.failed(k.name, env.Kind)
		}
		return
	}
	want := map[string]string{
		"short": quote(nonce), "long": quote(nonce),
		"state": `[` + quote(nonce) + `,` + quote(c.name) + `]`,
		"tools": `[` + quote(nonce) + `,"abc"]`,
	}[k.name]
	if want != string(env.Result) {
		l.bad("%s of %s: got %s, want %s", k.name, c.name, env.Result, want)
	}
}

// turns runs what callers do back to back for some time, and gives how often they did.
func turns(callers int, d time.Duration, once func(caller, i int)) float64 {
	var n atomic.Int64
	until := time.Now().Add(d)
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for i := 0; time.Now().Before(until); i++ {
				once(c, i)
				n.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(n.Load()) / d.Seconds()
}

// saturations compares short scripts over HTTP with the pool's own saturation: the same
// scripts over stdio. They take turns, because other work on the machine comes and goes;
// the figures are medians.
func saturations(t *testing.T, one, many []*caller, rounds int, d time.Duration) {
	c := startClient(t, nil, "serve", "--log-level", "error")
	c.mustRun(`return 1`, "1")
	over := func(callers []*caller, l *tally) float64 {
		for _, c := range callers { // each principal has its worker
			c.once(kinds[0], "warm", newTally())
		}
		return turns(len(callers), d, func(n, i int) { callers[n].once(kinds[0], fmt.Sprintf("%d-%d", n, i), l) })
	}
	single, twenty := newTally(), newTally()
	var pool, ones, manys, ofOne, ofMany []float64
	for range rounds {
		pool = append(pool, turns(8, d, func(int, int) {
			if _, err := c.attempt(`return 1`); err != nil {
				t.Error(err)
			}
		}))
		ones, manys = append(ones, over(one, single)), append(manys, over(many, twenty))
		last := len(pool) - 1
		ofOne, ofMany = append(ofOne, 100*ones[last]/pool[last]), append(ofMany, 100*manys[last]/pool[last])
	}
	t.Logf("saturation, 8 callers over stdio:           %6.1f/s", middle(pool))
	t.Logf("one principal, %2d sessions over HTTP:       %6.1f/s, %.0f%% of it; %s", len(one), middle(ones), middle(ofOne), single)
	t.Logf("20 principals, a session each, over HTTP:   %6.1f/s, %.0f%% of it; %s", middle(manys), middle(ofMany), twenty)
	for _, w := range slices.Concat(single.wrong, twenty.wrong) {
		t.Error(w)
	}
}

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// String tells of short scripts.
func (l *tally) String() string {
	d := l.times["short"]
	return fmt.Sprintf("p50 %v, p99 %v, errors %v", quantile(d, 0.5).Round(100*time.Microsecond), quantile(d, 0.99).Round(100*time.Microsecond), l.errors)
}

func (e *endpoint) resident() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", e.cmd.Process.Pid))
	if err != nil {
		e.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kb >> 10
		}
	}
	return 0
}

// startQuiet starts the server without a log, at ports that were free just now.
func startQuiet(t *testing.T, config string, args ...string) *endpoint {
	t.Helper()
	var ports [2]string
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports[i] = l.Addr().String()
		l.Close()
	}
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, append([]string{"serve", "--http", ports[0], "--metrics", ports[1], "--config", file, "--log-level", "error"}, args...)...)
	cmd.Env = append(os.Environ(), "CODE_MODE_CACHE_DIR="+t.TempDir())
	cmd.Stderr = testWriter{t}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := &endpoint{t: t, cmd: cmd, url: "http://" + ports[0] + "/mcp", http: &http.Client{}, done: make(chan struct{})}
	e.log.WriteString(`serving metrics {"address": "` + ports[1] + `"}`)
	go func() {
		defer close(e.done)
		e.exit = cmd.Wait()
	}()
	t.Cleanup(e.close)
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", ports[0]); err == nil {
			c.Close()
			return e
		}
		if time.Now().After(end) {
			t.Fatal("the server does not serve")
		}
	}
}

func TestLoad(t *testing.T) {
	seconds := 180
	if text := os.Getenv("LOAD_SECONDS"); text != "" {
		var err error
		if seconds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("CODE_MODE_TIMEOUT_SECONDS", "5")
	t.Setenv("CODE_MODE_QUEUE_SECONDS", "30")
	var lines []string
	for i := range loadPrincipals {
		lines = append(lines, fmt.Sprintf(`{"name":"p%d","role":"viewer","sha256":%q}`, i, digestOf(fmt.Sprintf("t%d", i))))
	}
	e := startQuiet(t, `{"http":{"requestsPerSecond":100000,"addressRequestsPerSecond":100000},"auth":{"tokens":[`+strings.Join(lines, ",")+`]}}`,
		"--workspace", workspaceOf(t, map[string]string{"a.txt": "a", "b.txt": "b", "c.txt": "c"}))
	e.http.Transport = &http.Transport{MaxIdleConnsPerHost: loadSessions, MaxIdleConns: 2 * loadSessions}
	var all []*caller
	for n := range loadSessions {
		era := []string{legacyEra, modernEra}[n%2]
		p := n / 2 % loadPrincipals
		all = append(all, &caller{user: *e.join(era, fmt.Sprintf("t%d", p)), name: fmt.Sprintf("p%d", p)})
	}
	figures := func(when string) {
		t.Logf("%-24s %d MB resident, %v goroutines, %v descriptors, %v workers, %v sessions", when, e.resident(), e.metric("go_goroutines"),
			e.metric("process_open_fds"), e.metric("codemode_workers"), e.metric("codemode_sessions"))
	}
	figures("at the start:")

	var one, many []*caller
	for _, c := range all {
		if c.name == "p0" && len(one) < 8 {
			one = append(one, c)
		}
	}
	for n := 0; n < 40 && len(many) < 20; n += 2 {
		many = append(many, all[n])
	}
	saturations(t, one, many, 5, 3*time.Second)

	l := newTally()
	until := time.Now().Add(time.Duration(seconds) * time.Second)
	var wg sync.WaitGroup
	for n, c := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.work(until, n, l)
		}()
	}
	quarter := time.Duration(seconds) * time.Second / 4
	var resident []int
	for range 4 {
		time.Sleep(quarter)
		resident = append(resident, e.resident())
	}
	wg.Wait()
	figures("after the mix:")
	total := 0
	for _, k := range kinds {
		d := l.times[k.name]
		total += len(d)
		t.Logf("%-10s %6d  p50 %8v  p99 %8v", k.name, len(d), quantile(d, 0.5).Round(time.Millisecond), quantile(d, 0.99).Round(time.Millisecond))
	}
	t.Logf("%d requests in %d s: %.1f/s; errors by kind: %v", total, seconds, float64(total)/float64(seconds), l.errors)
	t.Logf("resident MB by quarter: %v", resident)
	if p50, p99 := quantile(l.times["short"], 0.5), quantile(l.times["short"], 0.99); p50 > 0 {
		t.Logf("short scripts beside hostile ones: p99 is %.1f times p50", float64(p99)/float64(p50))
	}
	for _, w := range l.wrong {
		t.Error(w)
	}
	for _, name := range slices.Sorted(maps.Keys(l.errors)) {
		if !strings.HasSuffix(name, "busy") && !strings.Contains(name, "HTTP 429") {
			t.Errorf("%d times %s", l.errors[name], name)
		}
	}
	e.await(runsRunning, 0)
	figures("at the end:")
}
