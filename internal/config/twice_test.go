package config

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A key that is there twice is refused wherever it stands: one of the two would be
// lost without a word.
func TestKeysTwice(t *testing.T) {
	for _, text := range []string{
		`{"role":"viewer","role":"admin"}`,
		`{"limits":{"CODE_MODE_MAX_TOOL_CALLS":100,"CODE_MODE_MAX_TOOL_CALLS":200}}`,
		`{"mcpServers":{"a":{"command":"x","env":{"X":"1","X":"2"}}}}`,
		`{"mcpServers":{"a":{"url":"https://example.com","headers":{"X":"1","X":"2"}}}}`,
		`{"auth":{"jwt":{"issuer":"https://example.com","audience":"a","roles":{"r":"viewer","r":"admin"}}}}`,
	} {
		if _, err := load(t, text, Flags{}); err == nil || !strings.Contains(err.Error(), "twice") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A named pipe that nobody writes to is no reason to wait for ever.
func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(Flags{File: path}); err == nil {
		t.Error("an empty file was taken")
	}
}
