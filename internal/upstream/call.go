package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
)

// call calls one tool. It is never made twice: whether a call that got no answer
// took effect, nobody knows.
func (p *peer) call(ctx context.Context, tool string, args json.RawMessage) (*catalog.Result, error) {
	if p.cfg.PerPrincipal && p.mine == nil {
		own, done, err := p.own(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		p = own
	}
	s, err := p.await(ctx)
	if err != nil {
		return nil, err
	}
	defer s.calls.Done()
	ctx, end := s.under.begin(ctx)
	defer end()
	// The SDK writes into the params: they are made for this call alone.
	params := &mcp.CallToolParams{Name: tool, Arguments: args}
	if tell := catalog.ProgressOf(ctx); tell != nil {
		token := strconv.FormatInt(s.lastCall.Add(1), 10)
		s.tokens.Store(token, tell)
		defer s.tokens.Delete(token)
		params.Meta = mcp.Meta{"progressToken": token}
	}
	c := &cell{}
	defer s.tap.forget(c)
	if _, err := s.client.CallTool(withCell(valueless{ctx}, c), params); err != nil {
		return nil, p.callError(ctx, s, err)
	}
	if c.raw == nil {
		return nil, &Error{Message: "the server " + p.cfg.Name + " gave an empty answer"}
	}
	return decodeResult(c.raw)
}

// valueless hides what a context carries, but for the call that it is of. That of a request which our own server
// serves holds the SDK's notes on it, such as its revision, which the SDK's client
// would take for its own.
type valueless struct{ context.Context }

// Value gives the call.
func (v valueless) Value(key any) any {
	if key == (askingKey{}) {
		return v.Context.Value(key)
	}
	return nil
}

func (p *peer) callError(ctx context.Context, s *session, err error) error {
	switch {
	case ctx.Err() != nil:
		return err // the caller knows better what ended it
	case errors.Is(err, mcp.ErrSessionMissing):
		return &Error{Message: "the server " + p.cfg.Name + " has lost the session; a new one is being opened",
			Hint: "the call was not made; call again in a second"}
	}
	var login *loginError
	if errors.As(err, &login) {
		return &Error{Message: login.Error(), Hint: "the call was not made; " + login.hint()}
	}
	own := p.fromWire(err)
	switch {
	case own.Code != nil && *own.Code == codeTooLarge:
		return p.fromWire(&tooLargeError{size: p.maxMessage(), limit: int(p.m.maxResult.Load())})
	case own.Code != nil && *own.Code == mcp.CodeURLElicitationRequired:
		own.Hint = p.mustOpen(own.Data)
		return own
	case own.Code != nil || own.Large:
		return own
	}
	own.Hint = "it is not known whether the call took effect, and it was not made again; look before you repeat it"
	if s.child != nil && s.child.waitFor(pipeDelay) {
		own.Message = "the server " + p.cfg.Name + " ended while the call was under way: " + s.whyEnded().Error()
	}
	return own
}

// mustOpen says which page a person has to open before a call works, as a server says
// it in an error (2025-11-25).
func (p *peer) mustOpen(data json.RawMessage) string {
	var need struct {
		Elicitations []struct {
			URL string `json:"url"`
		} `json:"elicitations"`
	}
	if json.Unmarshal(data, &need) != nil {
		return ""
	}
	for _, e := range need.Elicitations {
		if u := linkTo(e.URL); u != nil {
			return "a person must open " + u.String() + " first; then call again"
		}
	}
	return ""
}

// decodeResult reads a result of tools/call. Blocks of unknown types stay as they
// came.
func decodeResult(raw json.RawMessage) (*catalog.Result, error) {
	var fields map[string]json.RawMessage // exact keys
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, &Error{Message: "the server's answer is no result of a tool"}
	}
	res := &catalog.Result{}
	if structured := fields["structuredContent"]; len(structured) > 0 && string(structured) != "null" {
		res.Structured = structured
	}
	_ = json.Unmarshal(fields["isError"], &res.IsError) // anything but true is false
	var blocks []json.RawMessage
	if content := fields["content"]; json.Unmarshal(content, &blocks) != nil && len(content) > 0 {
		blocks = []json.RawMessage{content} // one block instead of a list of them
	}
	for _, b := range blocks {
		res.Content = append(res.Content, block(b))
	}
	return res, nil
}

func block(raw json.RawMessage) catalog.Content {
	var fields map[string]json.RawMessage
	c := catalog.Content{Raw: raw}
	if json.Unmarshal(raw, &fields) != nil {
		var text string
		if json.Unmarshal(raw, &text) == nil { // a bare string
			return catalog.Text(text)
		}
		return c
	}
	_ = json.Unmarshal(fields["type"], &c.Type) // no type: the block stays as it came
	if c.Type == "text" {
		_ = json.Unmarshal(fields["text"], &c.Text) // no text: an empty one
		if len(fields) <= 2 {                       // nothing beside type and text
			c.Raw = nil
		}
	}
	return c
}
