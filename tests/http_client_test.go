package tests

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// endpoint is a server under test over HTTP. Its client knows HTTP and JSON, and
// nothing of MCP, so that a test sees what is on the wire.
type endpoint struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string // of the endpoint: http://127.0.0.1:PORT/mcp
	http *http.Client
	done chan struct{}

	mu  sync.Mutex
	log strings.Builder // guarded by mu
	// exit is the state of the process once done is closed.
	exit error
}

var servingAt = regexp.MustCompile(`"address": "([^"]+)"`)

// startHTTP starts the server with a configuration (JSON, or empty) on a port of
// its own.
func startHTTP(t *testing.T, config string, args ...string) *endpoint {
	t.Helper()
	return startHTTPAt(t, "127.0.0.1:0", config, args...)
}

func startHTTPAt(t *testing.T, addr, config string, args ...string) *endpoint {
	t.Helper()
	args = append([]string{"serve", "--http", addr}, args...)
	if config != "" {
		file := filepath.Join(t.TempDir(), "config.json")
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--config", file)
	}
	return runHTTP(t, exec.Command(binary, args...))
}

// runHTTP starts a command that becomes the server.
func runHTTP(t *testing.T, cmd *exec.Cmd) *endpoint {
	t.Helper()
	e := &endpoint{t: t, cmd: cmd, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}, done: make(chan struct{})}
	e.cmd.Env = append(os.Environ(), "CODE_MODE_CACHE_DIR="+t.TempDir())
	stderr, err := e.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	serving := make(chan string, 1)
	go e.read(stderr, serving)
	t.Cleanup(e.close)
	select {
	case at := <-serving:
		e.url = "http://" + at + "/mcp"
	case <-e.done:
		t.Fatalf("the server ended: %v\n%s", e.exit, e.logged())
	case <-time.After(patience):
		t.Fatal("the server did not begin to serve")
	}
	return e
}

func (e *endpoint) read(stderr io.Reader, serving chan<- string) {
	defer close(e.done)
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		e.mu.Lock()
		e.log.WriteString(line + "\n")
		e.mu.Unlock()
		if strings.Contains(line, "serving over HTTP") {
			if m := servingAt.FindStringSubmatch(line); m != nil {
				select {
				case serving <- m[1]:
				default:
				}
			}
		}
	}
	e.exit = e.cmd.Wait()
}

func (e *endpoint) logged() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.log.String()
}

func (e *endpoint) signal(s os.Signal) {
	e.t.Helper()
	if err := e.cmd.Process.Signal(s); err != nil {
		e.t.Fatal(err)
	}
}

// ended waits for the process.
func (e *endpoint) ended() error {
	e.t.Helper()
	select {
	case <-e.done:
	case <-time.After(patience):
		e.t.Fatal("the server did not end")
	}
	return e.exit
}

func (e *endpoint) close() {
	_ = e.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-e.done:
	case <-time.After(patience):
		e.t.Error("the server did not end after SIGTERM")
		e.cmd.Process.Kill()
		<-e.done
	}
	e.http.CloseIdleConnections()
	if e.t.Failed() {
		e.t.Log(e.logged())
	}
}

// answer is an HTTP answer as a test looks at it.
type answer struct {
	status int
	header http.Header
	body   string
	msgs   []message // those of the body, be it JSON or events
}

// do sends one request. A header with an empty value is left out.
func (e *endpoint) do(ctx context.Context, method, url string, header map[string]string, body string) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		switch {
		case k == "Host":
			req.Host = v
		case v == "":
			req.Header.Del(k)
		default:
			req.Header.Set(k, v)
		}
	}
	res, err := e.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	a := answer{status: res.StatusCode, header: res.Header, body: string(text)}
	if err != nil {
		return a, err
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		var m message
		if json.Unmarshal(text, &m) == nil {
			a.msgs = append(a.msgs, m)
		}
		return a, nil
	}
	for _, line := range bytes.Split(text, []byte("\n")) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		var m message
		if ok && json.Unmarshal(data, &m) == nil {
			a.msgs = append(a.msgs, m)
		}
	}
	return a, nil
}

func (e *endpoint) must(method, url string, header map[string]string, body string) answer {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	a, err := e.do(ctx, method, url, header, body)
	if err != nil {
		e.t.Fatal(err)
	}
	return a
}

// user is one MCP client: of an era, with a token and, in the old era, a session.
type user struct {
	e       *endpoint
	era     string
	token   string
	session string
}

// digestOf is what a configuration keeps of a token.
func digestOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

const (
	legacyEra = "2025-11-25"
	modernEra = "2026-07-28"
)

// join makes a client, with a session where the era has them.
func (e *endpoint) join(era, token string) *user {
	e.t.Helper()
	u := &user{e: e, era: era, token: token}
	if era == modernEra {
		return u
	}
	a := u.post("initialize", `{"protocolVersion":"`+era+`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	u.session = a.header.Get("Mcp-Session-Id")
	if a.status != http.StatusOK || u.session == "" {
		e.t.Fatalf("initialize: %d %s", a.status, a.body)
	}
	if a := e.must(http.MethodPost, e.url, u.headers("", ""), `{"jsonrpc":"2.0","method":"notifications/initialized"}`); a.status != http.StatusAccepted {
		e.t.Fatalf("initialized: %d %s", a.status, a.body)
	}
	return u
}

func (u *user) headers(method, name string) map[string]string {
	h := map[string]string{}
	if u.token != "" {
		h["Authorization"] = "Bearer " + u.token
	}
	if u.era == modernEra {
		h["Mcp-Protocol-Version"], h["Mcp-Method"] = modernEra, method
		if name != "" {
			h["Mcp-Name"] = name
		}
		return h
	}
	if u.session != "" {
		h["Mcp-Session-Id"], h["Mcp-Protocol-Version"] = u.session, u.era
	}
	return h
}

// request is the message and its headers.
func (u *user) request(method, params string) (header map[string]string, body string) {
	var p map[string]json.RawMessage
	if err := json.Unmarshal([]byte(params), &p); err != nil {
		panic(err)
	}
	var name string
	_ = json.Unmarshal(p["name"], &name)
	if uri := p["uri"]; uri != nil {
		_ = json.Unmarshal(uri, &name)
	}
	if u.era == modernEra {
		meta := `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`
		if p["_meta"] != nil {
			meta += `,"progressToken":"p"`
		}
		p["_meta"] = json.RawMessage(meta + "}")
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return u.headers(method, name), fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, text)
}

func (u *user) post(method, params string) answer {
	u.e.t.Helper()
	header, body := u.request(method, params)
	return u.e.must(http.MethodPost, u.e.url, header, body)
}

// last is the answer proper: notifications may come before it.
func (a answer) last() message {
	if len(a.msgs) == 0 {
		return message{}
	}
	return a.msgs[len(a.msgs)-1]
}

// run runs a script, with further arguments as pairs.
func (u *user) run(script string, more ...string) envelope {
	u.e.t.Helper()
	args := map[string]any{"script": script}
	for i := 0; i < len(more); i += 2 {
		args[more[i]] = more[i+1]
	}
	text, err := json.Marshal(map[string]any{"name": "execute_script", "arguments": args})
	if err != nil {
		u.e.t.Fatal(err)
	}
	a := u.post("tools/call", string(text))
	env, err := a.envelope()
	if err != nil {
		u.e.t.Fatalf("%v: %d %s", err, a.status, a.body)
	}
	return env
}

func (a answer) envelope() (envelope, error) {
	m := a.last()
	if m.Error != nil || m.Result == nil {
		return envelope{}, fmt.Errorf("no result")
	}
	var res struct {
		Structured envelope `json:"structuredContent"`
	}
	err := json.Unmarshal(m.Result, &res)
	return res.Structured, err
}
