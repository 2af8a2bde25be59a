package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/bridge"
	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/dispatch"
)

// Shield keeps a panic from ending the server (go-sdk #958), and an error from ending
// the session. It gives every plain error a JSON-RPC code: the SDK would send it with code 0.
func Shield(log *slog.Logger) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler { return shielded(log, next) }
}

func shielded(log *slog.Logger, next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				log.Error("request panicked", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
			}
		}()
		res, err = next(ctx, method, req)
		var coded *jsonrpc.Error
		switch {
		case err == nil:
		case !errors.As(err, &coded) && ctx.Err() != nil:
			err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the request was cancelled"}
		case !errors.As(err, &coded):
			err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		case coded.Data != nil && !json.Valid(coded.Data):
			// The SDK quotes a URI as Go does, and ends the session over what is no JSON
			// then: "\x00" of a resource that is not there.
			err = &jsonrpc.Error{Code: coded.Code, Message: coded.Message}
		}
		return res, err
	}
}

// endWithUs ends a request when serving is stopped.
func (s *Server) endWithUs(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		ctx, cancel := context.WithCancel(ctx) // ends with the request: a listen stream outlives its handler
		defer context.AfterFunc(s.life, cancel)()
		return next(ctx, method, req)
	}
}

// refuseUndeclared answers methods of capabilities that were not declared as
// unknown; the SDK would answer with an empty list.
func (s *Server) refuseUndeclared(next mcp.MethodHandler) mcp.MethodHandler {
	caps := s.capabilities()
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		missing := false
		switch method {
		case "prompts/list", "prompts/get":
			missing = caps.Prompts == nil
		case "resources/list", "resources/read", "resources/templates/list":
			missing = caps.Resources == nil
		}
		if missing {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("method %q is not supported", method)}
		}
		return next(ctx, method, req)
	}
}

// nameUnknownTool takes every name that a script may use, and answers a call of a
// tool that is not there with the nearest names. Such a call is a protocol error in every revision.
func (s *Server) nameUnknownTool(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.(*mcp.CallToolRequest)
		if !ok || call.Params == nil || s.opts.Bridge != nil && (call.Params.Name == bridge.ToolName || call.Params.Name == searchTool) {
			return next(ctx, method, req)
		}
		tool, err := s.opts.Dispatch.Resolve(ctx, s.principal(req), call.Params.Name)
		var missing *catalog.NotFoundError
		var several *catalog.AmbiguousError
		var forbidden *catalog.ForbiddenError
		switch {
		case errors.As(err, &forbidden):
			tool, err = forbidden.Tool, nil // its call says which role it needs
		case errors.As(err, &missing), errors.As(err, &several):
			s.opts.Dispatch.Refuse(dispatch.Call{Principal: s.principal(req), Tool: call.Params.Name}, dispatch.UnknownTool)
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		if err == nil && tool.PublicName() != call.Params.Name {
			// A name that scripts use, and that our own errors propose. The SDK knows
			// the listed one only. The request is copied: the SDK owns the original.
			renamed, params := *call, *call.Params
			params.Name, renamed.Params = tool.PublicName(), &params
			req = &renamed
		}
		return next(ctx, method, req)
	}
}
