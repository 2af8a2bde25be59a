package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/catalog"
)

// errCantAsk says that the client has no way to be asked.
var errCantAsk = errors.New("the client can't be asked that")

// asked turns a question into the request that a client gets, when the client said
// that it answers such requests.
func asked(caps *mcp.ClientCapabilities, q catalog.Question) (mcp.InputRequest, error) {
	if caps == nil {
		return nil, errCantAsk
	}
	var out mcp.InputRequest
	switch e := caps.Elicitation; {
	case q.Kind == catalog.QuestionForm && e != nil && (e.Form != nil || e.URL == nil): // neither: an older client, which knows forms only
		out = &mcp.ElicitParams{}
	case q.Kind == catalog.QuestionURL && e != nil && e.URL != nil:
		out = &mcp.ElicitParams{}
	case q.Kind == catalog.QuestionModel && caps.Sampling != nil:
		out = &mcp.CreateMessageWithToolsParams{}
	default:
		return nil, errCantAsk
	}
	if err := json.Unmarshal(q.Params, out); err != nil {
		return nil, fmt.Errorf("read the question: %w", err)
	}
	if p, ok := out.(*mcp.CreateMessageWithToolsParams); ok && len(p.Tools) > 0 && caps.Sampling.Tools == nil {
		return nil, errCantAsk
	}
	return out, nil
}

// askSession asks a client of a revision with sessions, which the server may send
// requests to.
func askSession(req *mcp.CallToolRequest) func(context.Context, catalog.Question) (json.RawMessage, error) {
	return func(ctx context.Context, q catalog.Question) (json.RawMessage, error) {
		params, err := asked(req.ClientCapabilities(), q)
		if err != nil {
			return nil, err
		}
		var answer any
		switch p := params.(type) {
		case *mcp.ElicitParams:
			answer, err = req.Session.Elicit(ctx, p)
		case *mcp.CreateMessageWithToolsParams:
			answer, err = req.Session.CreateMessageWithTools(ctx, p)
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(answer)
	}
}

// fits reports whether an answer is of the kind that was asked for: the SDK guesses
// it from the keys.
func fits(question mcp.InputRequest, answer mcp.InputResponse) bool {
	switch question.(type) {
	case *mcp.ElicitParams:
		a, ok := answer.(*mcp.ElicitResult)
		return ok && a != nil
	case *mcp.CreateMessageWithToolsParams:
		a, ok := answer.(*mcp.CreateMessageWithToolsResult)
		return ok && a != nil
	}
	return false
}
