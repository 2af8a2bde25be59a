// Package tests holds the stories of the whole program: every test here runs the
// built binary as a user would.
package tests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"codemode-mcp/tests/fault"
)

// binary is the program under test, built once. It is built without the race
// detector even in a race run: workers can't live under their memory limit with
// it.
var binary string

func TestMain(m *testing.M) {
	fault.Main() // this binary is also the upstream server of some tests
	dir, err := os.MkdirTemp("", "codemode-mcp-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "codemode-mcp")
	if given := os.Getenv("CODEMODE_TEST_BINARY"); given != "" {
		binary = given
	} else if out, err := exec.Command("go", "build", "-o", binary, "codemode-mcp/cmd/codemode-mcp").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.RemoveAll(dir)
	os.Exit(code)
}
