// Command client is what the conformance suite tests as a client: our upstream
// manager with one server, as a configuration file names it. It logs in where a
// scenario wants that, lists the tools and calls them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/tokens"
	"codemode-mcp/internal/upstream"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: client URL, with MCP_CONFORMANCE_SCENARIO")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Getenv("MCP_CONFORMANCE_SCENARIO")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// given is what a scenario tells of itself.
type given struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	ToolCalls    []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

func run(url, scenario string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	var more given
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &more); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server, err := entry(dir, url, more)
	if err != nil {
		return err
	}
	c := &client{server: server, tokens: tokens.New(filepath.Join(dir, "tokens"))}
	m := upstream.New(upstream.Options{Servers: []config.Server{server}, Version: "1", Tokens: c.tokens, Publish: c.publish,
		Log: func(server, event string, _ bool) { fmt.Fprintln(os.Stderr, server, event) }})
	m.Open()
	defer m.Close()
	if err := m.Settled(ctx); err != nil {
		return err
	}
	for logins := 0; ; logins++ {
		s := m.Status()[0]
		switch {
		case s.State == "ready":
			return c.calls(ctx, m, scenario, more)
		case !strings.Contains(s.Reason, "login") || logins == maxLogins:
			return fmt.Errorf("the server is %s: %s", s.State, s.Reason)
		}
		if err := c.login(ctx); err != nil {
			return err
		}
		if err := awaitReady(ctx, m); err != nil {
			return err
		}
	}
}

// maxLogins is how often a person logs in before they give up.
const maxLogins = 3

// awaitReady waits until a server has taken up a login, or wants another one.
func awaitReady(ctx context.Context, m *upstream.Manager) error {
	before := m.Status()[0].Reason
	for began := time.Now(); time.Since(began) < 5*time.Second; {
		if s := m.Status()[0]; s.State == "ready" || s.State == "down" && s.Reason != before {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// entry is the server as a person would write it into the configuration.
func entry(dir, url string, more given) (config.Server, error) {
	s := map[string]any{"url": url}
	if more.ClientID != "" {
		s["oauth"] = map[string]string{"clientId": more.ClientID, "clientSecret": more.ClientSecret}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"suite": s}})
	if err != nil {
		return config.Server{}, err
	}
	file := filepath.Join(dir, "config.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return config.Server{}, err
	}
	cfg, err := config.Load(config.Flags{File: file})
	if err != nil {
		return config.Server{}, err
	}
	return cfg.Servers[0], nil
}

type client struct {
	server config.Server
	tokens *tokens.Store

	mu    sync.Mutex
	tools []catalog.Tool // guarded by mu
}

func (c *client) publish(tools []catalog.Tool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tools = tools
}

func (c *client) tool(name string) *catalog.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.tools, func(t catalog.Tool) bool { return t.Name == name }); i >= 0 {
		return &c.tools[i]
	}
	return nil
}

// login is what a person does with a browser: the suite's server sends it back at
// once.
func (c *client) login(ctx context.Context) error {
	failed := make(chan error, 1)
	err := upstream.Login(ctx, upstream.LoginOptions{Server: c.server, Tokens: c.tokens, Version: "1", Show: func(address string) {
		go func() {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
			if err == nil {
				var res *http.Response
				if res, err = http.DefaultClient.Do(req); err == nil {
					res.Body.Close()
				}
			}
			if err != nil {
				failed <- err
			}
		}()
	}})
	select {
	case visit := <-failed:
		return errors.Join(err, visit)
	default:
		return err
	}
}

// call calls one tool, if it is there, and answers what its server asks.
func (c *client) call(ctx context.Context, name string, args json.RawMessage) error {
	t := c.tool(name)
	if t == nil {
		return fmt.Errorf("there is no tool %q", name)
	}
	ctx = catalog.WithAsker(ctx, catalog.Asker{Principal: "suite", Ask: answer})
	_, err := t.Invoke(ctx, args)
	return err
}

// answer is a person who accepts what a form proposes.
func answer(_ context.Context, q catalog.Question) (json.RawMessage, error) {
	if q.Kind != catalog.QuestionForm {
		return nil, errors.New("only forms are answered")
	}
	var params struct {
		RequestedSchema struct {
			Properties map[string]struct {
				Type    string          `json:"type"`
				Default json.RawMessage `json:"default"`
			} `json:"properties"`
		} `json:"requestedSchema"`
	}
	if err := json.Unmarshal(q.Params, &params); err != nil {
		return nil, err
	}
	content := map[string]json.RawMessage{}
	for name, p := range params.RequestedSchema.Properties {
		switch {
		case p.Default != nil:
			content[name] = p.Default
		case p.Type == "boolean":
			content[name] = json.RawMessage("true")
		}
	}
	return json.Marshal(map[string]any{"action": "accept", "content": content})
}

func (c *client) calls(ctx context.Context, m *upstream.Manager, scenario string, more given) error {
	none := json.RawMessage("{}")
	tell := func(err error) { // a call that must fail is a part of some scenarios
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	switch scenario {
	case "tools_call":
		return c.call(ctx, "add_numbers", json.RawMessage(`{"a":5,"b":3}`))
	case "elicitation-sep1034-client-defaults":
		return c.call(ctx, "test_client_elicitation_defaults", none)
	case "sse-retry":
		return c.call(ctx, "test_reconnection", none)
	case "json-schema-2020-12-preservation":
		focal := c.tool("json_schema_2020_12_tool")
		if focal == nil {
			return errors.New("the tool is missing")
		}
		return c.call(ctx, "json_schema_echo", json.RawMessage(`{"schema":`+string(focal.InputSchema)+`}`))
	case "sep-2322-client-request-state":
		for _, name := range []string{"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"} {
			tell(c.call(ctx, name, none))
		}
	case "http-custom-headers":
		for _, call := range more.ToolCalls {
			tell(c.call(ctx, call.Name, call.Arguments))
		}
	case "http-invalid-tool-headers", "http-standard-headers":
		c.mu.Lock()
		tools := slices.Clone(c.tools)
		c.mu.Unlock()
		for _, t := range tools {
			tell(c.call(ctx, t.Name, json.RawMessage(`{"region":"us-west1"}`)))
		}
	}
	if strings.HasPrefix(scenario, "auth/") {
		err := c.call(ctx, "test-tool", none)
		if err != nil && strings.Contains(err.Error(), "login") { // more rights are wanted than the first login gave
			fmt.Fprintln(os.Stderr, err)
			if err = c.login(ctx); err == nil {
				if err = awaitReady(ctx, m); err == nil {
					err = c.call(ctx, "test-tool", none)
				}
			}
		}
		return err
	}
	return nil
}
