package tests

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// runBinary runs the program to its end and gives all it printed.
func runBinary(t *testing.T, env []string, stdin string, args ...string) (output string, code int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// quote gives a text as a JSON string.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
