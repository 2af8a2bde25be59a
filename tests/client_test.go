package tests

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// client is a bare MCP client over stdio: it knows JSON lines and nothing else,
// so that a test sees what is on the wire.
type client struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser

	mu      sync.Mutex
	next    int
	waiting map[int]chan message
	notes   []message // guarded by mu: notifications, in order
	done    chan struct{}
	hello   json.RawMessage // the answer to initialize
}

type message struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// envelope is the answer of execute_script as a client reads it.
type envelope struct {
	Error     string            `json:"error"`
	Kind      string            `json:"kind"`
	Message   string            `json:"message"`
	Hint      string            `json:"hint"`
	Line      int               `json:"line"`
	Column    int               `json:"column"`
	Excerpt   string            `json:"excerpt"`
	Stack     string            `json:"stack"`
	Warnings  []string          `json:"warnings"`
	Truncated bool              `json:"truncated"`
	Calls     []json.RawMessage `json:"calls"`
	Count     int               `json:"toolCallsCount"`
	Ms        int64             `json:"executionTimeMs"`
	Result    json.RawMessage   `json:"result"`
	Logs      []string          `json:"logs"`
	Finished  bool              `json:"finished"`
	ResultURI string            `json:"resultUri"`
	Session   string            `json:"session"`

	// Content are the blocks beside the envelope, in short.
	Content []string `json:"-"`
}

// startClient starts the server with arguments and environment, and initializes
// a session of 2025-11-25.
func startClient(t *testing.T, env []string, args ...string) *client {
	t.Helper()
	return startLogged(t, testWriter{t}, env, args...)
}

// startLogged is startClient with the log where a test wants it.
func startLogged(t *testing.T, log io.Writer, env []string, args ...string) *client {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(cmd.Environ(), env...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, cmd: cmd, stdin: stdin, waiting: map[int]chan message{}, done: make(chan struct{})}
	go c.read(stdout)
	t.Cleanup(c.close)
	c.hello = c.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`).Result
	c.notify("notifications/initialized", "{}")
	return c
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Logf("server: %s", p)
	return len(p), nil
}

func (c *client) read(stdout io.Reader) {
	defer close(c.done)
	lines := bufio.NewReaderSize(stdout, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			c.t.Errorf("stdout carries something that is not MCP: %q", line)
			return
		}
		c.mu.Lock()
		if m.ID != nil && m.Method == "" {
			if ch := c.waiting[*m.ID]; ch != nil {
				ch <- m
				delete(c.waiting, *m.ID)
			}
		} else {
			c.notes = append(c.notes, m)
		}
		c.mu.Unlock()
	}
}

// send writes a request and gives the number and the channel of its answer.
func (c *client) send(method, params string) (int, chan message) {
	id, ch, err := c.post(method, params)
	if err != nil {
		c.t.Fatalf("write to the server: %v", err)
	}
	return id, ch
}

// post is send for goroutines that may not end the test.
func (c *client) post(method, params string) (int, chan message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	id := c.next
	ch := make(chan message, 1)
	c.waiting[id] = ch
	_, err := fmt.Fprintf(c.stdin, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
	return id, ch, err
}

func (c *client) notify(method, params string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(c.stdin, `{"jsonrpc":"2.0","method":%q,"params":%s}`+"\n", method, params)
}

// patience is how long a test waits for an answer before it gives up.
const patience = 60 * time.Second

// attempt runs a script from any goroutine. An error means that the server gave
// no envelope: it ended, fell silent or broke the protocol.
func (c *client) attempt(script string) (envelope, error) {
	_, ch, err := c.post("tools/call", c.execute(script))
	if err != nil {
		return envelope{}, err
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case m := <-ch:
		if m.Error != nil {
			return envelope{}, fmt.Errorf("protocol error %d: %s", m.Error.Code, m.Error.Message)
		}
		var res struct {
			Structured envelope `json:"structuredContent"`
		}
		err := json.Unmarshal(m.Result, &res)
		return res.Structured, err
	case <-c.done:
		return envelope{}, errors.New("the server ended before it answered")
	case <-timer.C:
		return envelope{}, errors.New("no answer from the server")
	}
}

func (c *client) await(ch chan message) message {
	c.t.Helper()
	select {
	case m := <-ch:
		return m
	case <-c.done:
		c.t.Fatal("the server ended before it answered")
	case <-time.After(patience):
		c.t.Fatal("no answer from the server")
	}
	panic("unreachable")
}

func (c *client) request(method, params string) message {
	c.t.Helper()
	_, ch := c.send(method, params)
	return c.await(ch)
}

// run runs a script and gives its envelope.
func (c *client) run(script string) envelope {
	c.t.Helper()
	_, ch := c.send("tools/call", c.execute(script))
	return c.envelope(c.await(ch))
}

// runWith runs execute_script with these arguments.
func (c *client) runWith(args map[string]any) envelope {
	c.t.Helper()
	text, err := json.Marshal(map[string]any{"name": "execute_script", "arguments": args})
	if err != nil {
		c.t.Fatal(err)
	}
	return c.envelope(c.request("tools/call", string(text)))
}

func (c *client) execute(script string) string {
	args, err := json.Marshal(map[string]any{"name": "execute_script", "arguments": map[string]any{"script": script}})
	if err != nil {
		c.t.Fatal(err)
	}
	return string(args)
}

func (c *client) envelope(m message) envelope {
	c.t.Helper()
	if m.Error != nil {
		c.t.Fatalf("execute_script: protocol error %d: %s", m.Error.Code, m.Error.Message)
	}
	var res struct {
		IsError    bool     `json:"isError"`
		Structured envelope `json:"structuredContent"`
		Content    []struct {
			Type     string `json:"type"`
			Text     string `json:"text"`
			Data     string `json:"data"`
			MIMEType string `json:"mimeType"`
			URI      string `json:"uri"`
		} `json:"content"`
	}
	if err := json.Unmarshal(m.Result, &res); err != nil {
		c.t.Fatal(err)
	}
	if res.IsError != (res.Structured.Error != "") {
		c.t.Errorf("isError is %v, but the envelope says %q", res.IsError, res.Structured.Error)
	}
	for _, b := range res.Content[1:] {
		parts := []string{b.Type, b.Text, b.Data, b.URI}
		if b.Data != "" {
			parts = append(parts, b.MIMEType)
		}
		res.Structured.Content = append(res.Structured.Content, strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " "))
	}
	return res.Structured
}

// mustRun runs a script that must succeed with this result.
func (c *client) mustRun(script, want string) {
	c.t.Helper()
	if env := c.run(script); env.Error != "" || string(env.Result) != want {
		c.t.Fatalf("%.60s: got %s %s %s, want %s", script, env.Kind, env.Message, env.Result, want)
	}
}

func (c *client) close() {
	c.stdin.Close()
	ended := make(chan struct{})
	go func() {
		<-c.done
		c.cmd.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(15 * time.Second):
		c.t.Error("the server did not end after its input closed")
		c.cmd.Process.Kill()
		<-ended
	}
}
