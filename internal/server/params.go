package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/jsonrpc"
)

// paramTypes are what the SDK reads the params of each request as. Of what does not fit
// it would tell in the words of Go, with the params whole.
var paramTypes = map[string]reflect.Type{
	"initialize":               reflect.TypeFor[mcp.InitializeParams](),
	"server/discover":          reflect.TypeFor[mcp.DiscoverParams](),
	"ping":                     reflect.TypeFor[mcp.PingParams](),
	"tools/list":               reflect.TypeFor[mcp.ListToolsParams](),
	"tools/call":               reflect.TypeFor[mcp.CallToolParamsRaw](),
	"prompts/list":             reflect.TypeFor[mcp.ListPromptsParams](),
	"prompts/get":              reflect.TypeFor[mcp.GetPromptParams](),
	"resources/list":           reflect.TypeFor[mcp.ListResourcesParams](),
	"resources/templates/list": reflect.TypeFor[mcp.ListResourceTemplatesParams](),
	"resources/read":           reflect.TypeFor[mcp.ReadResourceParams](),
	"resources/subscribe":      reflect.TypeFor[mcp.SubscribeParams](),
	"resources/unsubscribe":    reflect.TypeFor[mcp.UnsubscribeParams](),
	"completion/complete":      reflect.TypeFor[mcp.CompleteParams](),
	"subscriptions/listen":     reflect.TypeFor[mcp.SubscriptionsListenParams](),
	"logging/setLevel":         reflect.TypeFor[mcp.SetLoggingLevelParams](),
}

// paramsProblem says what is wrong with the params of a request, in words for its sender.
// It is empty if nothing is.
func paramsProblem(m jsonrpc.Message) string {
	want, ok := paramTypes[m.Method]
	if !ok || m.ID == nil || len(m.Params) == 0 {
		return ""
	}
	err := json.Unmarshal(m.Params, reflect.New(want).Interface())
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return ""
	case m.Params[0] != '{':
		return `invalid params: "params" must be an object`
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
