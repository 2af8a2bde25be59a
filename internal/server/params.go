package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/jsonrpc"
)

// paramsOf is what the SDK reads the params of each request as, and whether they may be
// missing. Of what does not fit it would tell in the words of Go, with the params whole.
var paramsOf = map[string]struct {
	as       reflect.Type
	optional bool
}{
	"initialize":               {as: reflect.TypeFor[mcp.InitializeParams]()},
	"server/discover":          {reflect.TypeFor[mcp.DiscoverParams](), true},
	"ping":                     {reflect.TypeFor[mcp.PingParams](), true},
	"tools/list":               {reflect.TypeFor[mcp.ListToolsParams](), true},
	"tools/call":               {as: reflect.TypeFor[mcp.CallToolParamsRaw]()},
	"prompts/list":             {reflect.TypeFor[mcp.ListPromptsParams](), true},
	"prompts/get":              {as: reflect.TypeFor[mcp.GetPromptParams]()},
	"resources/list":           {reflect.TypeFor[mcp.ListResourcesParams](), true},
	"resources/templates/list": {reflect.TypeFor[mcp.ListResourceTemplatesParams](), true},
	"resources/read":           {as: reflect.TypeFor[mcp.ReadResourceParams]()},
	"resources/subscribe":      {as: reflect.TypeFor[mcp.SubscribeParams]()},
	"resources/unsubscribe":    {as: reflect.TypeFor[mcp.UnsubscribeParams]()},
	"completion/complete":      {as: reflect.TypeFor[mcp.CompleteParams]()},
	"subscriptions/listen":     {as: reflect.TypeFor[mcp.SubscriptionsListenParams]()},
	"logging/setLevel":         {as: reflect.TypeFor[mcp.SetLoggingLevelParams]()},
}

// paramsProblem says what is wrong with the params of a request, in words for its sender.
// It is empty if nothing is.
func paramsProblem(m jsonrpc.Message) string {
	want, ok := paramsOf[m.Method]
	switch {
	case !ok || m.ID == nil:
		return ""
	case len(m.Params) > 0 && m.Params[0] == '{':
	case len(m.Params) > 0 && string(m.Params) != "null":
		return `invalid params: "params" must be an object`
	case want.optional:
		return ""
	default:
		return `invalid params: "params" is missing`
	}
	err := json.Unmarshal(m.Params, reflect.New(want.as).Interface())
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Sprintf("invalid params: %q must be %s, not %s", wrong.Field, inJSON(wrong.Type), wrong.Value)
	}
	return "invalid params: they are not those of " + m.Method
}

// inJSON is how people who write JSON call what is read as a type.
func inJSON(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "a number"
	}
	return "an object"
}
