package upstream

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"codemode-mcp/internal/config"
)

// An entry's secrets are hidden in all that a server's error brings along, also
// where JSON writes them otherwise.
func TestErrorDataIsRedacted(t *testing.T) {
	const secret = `s3"cr3t`
	p := newPeer(New(Options{}), config.Server{Name: "a", Secrets: []string{secret}})
	err := p.fromWire(&jsonrpc.Error{Code: -32000, Message: "bad key " + secret,
		Data: json.RawMessage(`{"k":["s3\"cr3t"],"s3\u0022cr3t":1,"n":12345678901234567890}`)})
	if all := err.Message + string(err.Data); strings.Contains(all, "cr3t") {
		t.Errorf("the secret shows: %s", all)
	}
	if want := `{"***":1,"k":["***"],"n":12345678901234567890}`; string(err.Data) != want {
		t.Errorf("got %s, want %s", err.Data, want)
	}
}
