package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callDigest tells calls apart: a state is good for the call that it was given for.
func callDigest(req *mcp.CallToolRequest) [sha256.Size]byte {
	args, err := canonical(req.Params.Arguments) // the client may write them in another order
	if err != nil {
		args = req.Params.Arguments
	}
	return sha256.Sum256(fmt.Appendf(nil, "%q %s", req.Params.Name, args))
}

// canonical writes JSON in one way.
func canonical(raw json.RawMessage) ([]byte, error) {
	var v any
	if len(raw) == 0 {
		return []byte("{}"), nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}
