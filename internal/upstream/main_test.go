package upstream

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"codemode-mcp/tests/fault"
)

// The test binary is its own upstream server.
func TestMain(m *testing.M) {
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
