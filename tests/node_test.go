//go:build node

package tests

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// These tests need node and the packages of tests/node (npm ci): make test-node.

// TestNodeClient drives the server with the official TypeScript SDK.
func TestNodeClient(t *testing.T) {
	dir := workspaceOf(t, map[string]string{"hello.txt": "hello from the workspace\n"})
	cmd := exec.Command("node", "--test", "client.mjs")
	cmd.Dir = "node"
	cmd.Env = append(os.Environ(), "CODEMODE_TEST_BINARY="+binary, "CODEMODE_TEST_WORKSPACE="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestTypes checks the declarations with the real TypeScript compiler.
func TestTypes(t *testing.T) {
	declarations, code := runBinary(t, nil, "", "sdk", "--writable")
	if code != 0 {
		t.Fatal(declarations)
	}
	cmd := exec.Command("node", "types.mjs")
	cmd.Dir = "node"
	cmd.Stdin = strings.NewReader(declarations)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
