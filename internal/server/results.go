package server

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/bridge"
)

// resultsTemplate is where results are that were cut in an answer.
const resultsTemplate = bridge.ResultURIPrefix + "{id}{?offset,limit}"

// addResults serves kept results, whole or in pages.
func (s *Server) addResults() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: resultsTemplate,
		Name:        "result",
		Title:       "A result that was cut",
		Description: "The whole result of a run whose answer says truncated, as JSON text. offset and limit (in bytes) give a part of it.",
		MIMEType:    "application/json",
	}, s.readResult)
}

func (s *Server) readResult(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	id, query, _ := strings.Cut(strings.TrimPrefix(uri, bridge.ResultURIPrefix), "?")
	text, ok := s.opts.Bridge.Result(s.principal(req).ID, id)
	if !ok {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, badURI(uri, err)
	}
	offset, err := natural(values, "offset", 0)
	if err != nil {
		return nil, badURI(uri, err)
	}
	limit, err := natural(values, "limit", s.limits().MaxResultChars)
	if err != nil {
		return nil, badURI(uri, err)
	}
	part, next := page(string(text), offset, limit)
	contents := &mcp.ResourceContents{URI: uri, MIMEType: "application/json", Text: part,
		Meta: mcp.Meta{"totalBytes": len(text)}}
	if next < len(text) {
		contents.Meta["nextOffset"] = next
		contents.Meta["next"] = fmt.Sprintf("%s%s?offset=%d", bridge.ResultURIPrefix, id, next)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
}

func badURI(uri string, err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("read %.200q: %v", uri, err)}
}

func natural(values url.Values, name string, otherwise int) (int, error) {
	text := values.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s=%q is no whole number from 0", name, text)
	}
	return n, nil
}

// page cuts a part out of a text, never within a character, and says where the
// next one begins.
func page(text string, offset, limit int) (part string, next int) {
	offset = min(offset, len(text))
	for offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset++
	}
	next = offset + min(len(text)-offset, max(limit, utf8.UTFMax)) // no sum that overflows
	for next < len(text) && !utf8.RuneStart(text[next]) {
		next--
	}
	return text[offset:next], next
}
