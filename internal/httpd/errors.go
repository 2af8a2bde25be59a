package httpd

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"codemode-mcp/internal/jsonrpc"
)

// The JSON-RPC codes that this layer answers with.
const (
	codeInternal = -32603
	// codeRefused is for what HTTP refuses; the status says why.
	codeRefused = -32000
)

// refuse answers with a JSON-RPC error. The text is for the caller: it holds
// nothing of other principals and nothing of the inside.
func refuse(w http.ResponseWriter, status, code int, id json.RawMessage, text string) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	body := errorBody(code, id, text)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone needs no answer
}

// Refuse answers an MCP request with a JSON-RPC error of the given status.
func Refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	refuse(w, status, codeFor(status), requestID(r), text)
}

// RefuseParams answers a request whose params are not those of its method.
func RefuseParams(w http.ResponseWriter, r *http.Request, text string) {
	refuse(w, http.StatusBadRequest, jsonrpc.CodeInvalidParams, requestID(r), text)
}

func errorBody(code int, id json.RawMessage, text string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	var answer struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	answer.Version, answer.ID, answer.Error.Code, answer.Error.Message = "2.0", id, code, text
	body, err := json.Marshal(answer)
	if err != nil {
		panic("BUG: an error does not encode: " + err.Error())
	}
	return body
}

// codeFor is the JSON-RPC code of an answer that had only a status.
func codeFor(status int) int {
	switch {
	case status == http.StatusBadRequest, status == http.StatusUnsupportedMediaType,
		status == http.StatusRequestEntityTooLarge, status == http.StatusConflict:
		return jsonrpc.CodeInvalidRequest
	case status >= 500:
		return codeInternal
	}
	return codeRefused
}

// plainReason makes one line of a plain error of the SDK.
func plainReason(status int, body []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(body), "?"))
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	switch {
	case text == "":
		text = http.StatusText(status)
	case strings.HasPrefix(text, "malformed payload"): // what follows is of the SDK's language
		text = "invalid request: want a JSON-RPC message"
	}
	return text
}
