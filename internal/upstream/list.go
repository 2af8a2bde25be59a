package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// listTimeout bounds the reading of a whole list.
	listTimeout = 30 * time.Second
	// maxPages, maxTools and maxListBytes bound a list.
	maxPages     = 1000
	maxTools     = 10_000
	maxListBytes = 64 << 20
)

// list reads the definitions of all tools as they came, page by page. What is
// odd and can be lived with is a warning.
func (s *session) list(ctx context.Context) (tools []json.RawMessage, warnings []string, err error) {
	if res := s.client.InitializeResult(); res != nil && res.Capabilities != nil && res.Capabilities.Tools == nil {
		return nil, []string{"the server says that it has no tools"}, nil
	}
	seen := map[string]bool{}
	cursor, size := "", 0
	for range maxPages {
		page, err := s.page(ctx, cursor)
		if err != nil {
			return nil, nil, err
		}
		var fields struct {
			Tools      []json.RawMessage `json:"tools"`
			NextCursor string            `json:"nextCursor"`
		}
		if err := json.Unmarshal(page, &fields); err != nil {
			return nil, nil, errors.New("the answer is no list of tools")
		}
		size += len(page)
		tools = append(tools, fields.Tools...)
		if len(tools) > maxTools || size > maxListBytes {
			return tools[:min(len(tools), maxTools)], append(warnings, fmt.Sprintf(
				"the list is too long: the first %d tools are offered", min(len(tools), maxTools))), nil
		}
		if fields.NextCursor == "" {
			return tools, warnings, nil
		}
		if seen[fields.NextCursor] {
			return s.withoutRepeats(tools), append(warnings, "the list never ends (the server repeats a cursor): it was cut"), nil
		}
		seen[fields.NextCursor] = true
		cursor = fields.NextCursor
	}
	return tools, append(warnings, fmt.Sprintf("the list has more than %d pages: it was cut", maxPages)), nil
}

// page reads one page as it came.
func (s *session) page(ctx context.Context, cursor string) (json.RawMessage, error) {
	c := &cell{}
	defer s.tap.forget(c)
	if _, err := s.client.ListTools(withCell(ctx, c), &mcp.ListToolsParams{Cursor: cursor}); err != nil {
		return nil, s.p.fromWire(err)
	}
	if c.raw == nil {
		return nil, errors.New("the answer is empty")
	}
	return c.raw, nil
}

// withoutRepeats drops what a page that came twice brought twice.
func (s *session) withoutRepeats(tools []json.RawMessage) []json.RawMessage {
	seen := map[string]bool{}
	var out []json.RawMessage
	for _, t := range tools {
		if !seen[string(t)] {
			seen[string(t)] = true
			out = append(out, t)
		}
	}
	return out
}
