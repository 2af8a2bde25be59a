package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
)

const (
	// maxQuestion bounds what a server asks, and maxAnswer what it is told, in bytes.
	maxQuestion = 64 << 10
	maxAnswer   = 256 << 10
	// maxQuestionText bounds what a person reads of it, in bytes.
	maxQuestionText = 4 << 10
	// maxOpen is how many questions of one call may be open.
	maxOpen = 4
)

// asking is a call under way whose caller can be asked.
type asking struct {
	ctx   context.Context
	asker catalog.Asker

	mu   sync.Mutex
	open int // guarded by mu: questions without an answer
}

// calls are those under way on a session, oldest first, and whose they ever were.
type calls struct {
	mu    sync.Mutex
	list  []*asking // guarded by mu
	owner string    // guarded by mu
	mixed bool      // guarded by mu: it has carried calls of several principals
	used  bool      // guarded by mu
}

// begin notes a call. The context it gives knows the call.
func (c *calls) begin(ctx context.Context) (inner context.Context, end func()) {
	a := &asking{ctx: ctx, asker: catalog.AskerOf(ctx)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used && c.owner != a.asker.Principal {
		c.mixed = true
	}
	c.owner, c.used = a.asker.Principal, true
	c.list = append(c.list, a)
	return context.WithValue(ctx, askingKey{}, a), func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.list = slices.DeleteFunc(c.list, func(x *asking) bool { return x == a })
	}
}

type askingKey struct{}

// whose is the call that a question belongs to, or nil when that is not certain. A
// question inside the result of a call (2026-07-28) brings the call's context. Of an
// older server's question only the connection is known: it is certain when the
// connection has carried the calls of one principal alone, and the oldest that is
// under way stands for them.
func (c *calls) whose(ctx context.Context) *asking {
	if a, ok := ctx.Value(askingKey{}).(*asking); ok {
		return a
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mixed || len(c.list) == 0 {
		return nil
	}
	return c.list[0]
}

var errNobody = errors.New("nobody can be asked")

// ask puts a question to who caused it, and waits as long as the call may.
func (s *session) ask(ctx context.Context, kind string, params any) (json.RawMessage, error) {
	call := s.under.whose(ctx)
	if call == nil || call.asker.Ask == nil {
		return nil, errNobody
	}
	text, err := json.Marshal(params)
	if err != nil || len(text) > maxQuestion {
		return nil, fmt.Errorf("the question has more than %d bytes", maxQuestion)
	}
	call.mu.Lock()
	call.open++
	many := call.open > maxOpen
	call.mu.Unlock()
	defer func() {
		call.mu.Lock()
		call.open--
		call.mu.Unlock()
	}()
	if many {
		return nil, fmt.Errorf("a call may have %d questions open", maxOpen)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(call.ctx, cancel)()
	// The values are those of the call: they lead to its client.
	asked, stop := context.WithCancel(call.ctx)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	if kind != catalog.QuestionModel {
		defer catalog.WaitForHuman(call.ctx)()
	}
	answer, err := call.asker.Ask(asked, catalog.Question{Server: s.p.cfg.Name, Kind: kind, Params: text})
	if err == nil && len(answer) > maxAnswer {
		err = fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return answer, err
}

// elicit serves elicitation/create of a server: our client's person is asked where
// there is one, else it is declined.
func (s *session) elicit(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	declined := &mcp.ElicitResult{Action: "decline"}
	p := *req.Params
	p.Meta = nil // it is between the server and us
	kind := catalog.QuestionForm
	intro := "The MCP server " + clean(s.p.cfg.Name) + " asks: "
	if p.Mode == "url" || p.URL != "" {
		kind = catalog.QuestionURL
		u := linkTo(p.URL)
		if u == nil {
			return declined, nil
		}
		intro = "The MCP server " + clean(s.p.cfg.Name) + " asks you to open " + u.Host + ": "
	}
	p.Message = intro + clip(readable(p.Message), maxQuestionText)
	answer, err := s.ask(ctx, kind, &p)
	if err != nil {
		if ctx.Err() == nil {
			s.p.m.opts.Log(s.p.cfg.Name, "asked a question that was declined: "+clean(err.Error()), false)
		}
		return declined, nil
	}
	var res mcp.ElicitResult
	if json.Unmarshal(answer, &res) != nil {
		return declined, nil
	}
	res.Meta = nil
	return &res, nil
}

// maxLink bounds a link, in bytes.
const maxLink = 4 << 10

// linkTo is an address that a person may be asked to open, or nil.
func linkTo(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxLink || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) || text != clean(text) {
		return nil
	}
	return u
}

// sample serves sampling/createMessage of a server whose entry allows it.
func (s *session) sample(ctx context.Context, req *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
	if !s.p.rules.Load().Sampling { // taken away since the server was told
		return nil, &jsonrpc.Error{Code: codeRefused, Message: "sampling was refused"}
	}
	p := *req.Params
	p.Meta = nil
	answer, err := s.ask(ctx, catalog.QuestionModel, &p)
	if err == nil {
		var res mcp.CreateMessageWithToolsResult
		if err = json.Unmarshal(answer, &res); err == nil {
			res.Meta = nil
			return &res, nil
		}
	}
	return nil, &jsonrpc.Error{Code: codeRefused, Message: "sampling was refused"}
}

// codeRefused is what the specification says for a sampling request that a user
// rejects.
const codeRefused = -1

// readable is clean that keeps the lines of a text.
func readable(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return strings.Join(lines, "\n")
}
