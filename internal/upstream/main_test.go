package upstream

import (
	"context"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"codemode-mcp/tests/fault"
)

// The test binary is its own upstream server.
func TestMain(m *testing.M) {
	if os.Getenv(fault.Variable) == "sdk" {
		if err := sdkServer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	fault.Main()
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			println(err.Error())
			code = 1
		}
	}
	os.Exit(code)
}
