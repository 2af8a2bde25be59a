package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// printed gives the code blocks of a language in a document.
func printed(t *testing.T, file, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("%s has no block of %s", file, language)
	}
	return blocks
}

// Every configuration that the documents print is one that the program takes.
func TestPrintedConfigs(t *testing.T) {
	for _, file := range []string{"README.md", "docs/http.md"} {
		found := 0
		for _, block := range printed(t, file, "json") {
			if !strings.Contains(block, `"auth"`) && !strings.Contains(block, `ervers"`) {
				continue
			}
			found++
			path := filepath.Join(t.TempDir(), "c.json")
			block = strings.ReplaceAll(block, "the 64 hex digits that token new printed", strings.Repeat("0a", 32))
			if err := os.WriteFile(path, []byte(block), 0o600); err != nil {
				t.Fatal(err)
			}
			// 1 says that a server could not be started here: a variable is missing.
			if out, code := runBinary(t, nil, "", "config", "check", path); code == 2 {
				t.Errorf("%s prints a configuration that is refused: %s\n%s", file, out, block)
			}
		}
		if found == 0 {
			t.Errorf("%s prints no configuration", file)
		}
	}
}

// The commands of the unit and of the container are ones that the program takes, and
// systemd, where it is, finds no fault in the unit.
func TestPrintedUnit(t *testing.T) {
	unit := printed(t, "README.md", "ini")[0]
	start := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/codemode-mcp (serve .*)$`).FindStringSubmatch(unit)
	run := regexp.MustCompile(`(?m)^  codemode-mcp (serve .*)$`).FindStringSubmatch(strings.Join(printed(t, "README.md", "sh"), "\n"))
	if start == nil || run == nil {
		t.Fatal("README.md does not print how the server is started")
	}
	for _, args := range []string{start[1], run[1]} {
		if out, code := runBinary(t, nil, "", append(strings.Fields(args), "--help")...); code != 0 {
			t.Errorf("%s: exit %d, %s", args, code, out)
		}
	}
	t.Run("systemd", func(t *testing.T) {
		verify, err := exec.LookPath("systemd-analyze")
		if err != nil {
			t.Skip("systemd is not on this machine")
		}
		path := filepath.Join(t.TempDir(), "codemode-mcp.service")
		if err := os.WriteFile(path, []byte(strings.Replace(unit, "/usr/local/bin/codemode-mcp", binary, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(verify, "verify", path).CombinedOutput(); err != nil || strings.Contains(string(out), "codemode-mcp.service") {
			t.Errorf("%v: %s", err, out)
		}
	})
}
