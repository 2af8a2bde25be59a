package tests

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected parts of the txtar files; read the diff")

// TestScripts runs each story under testdata/script. Beside testscript's own
// commands there is "mcp": it sends the lines of a file to the server, waits for
// every answer, and prints what came back.
func TestScripts(t *testing.T) { runStories(t, "testdata/script") }

// TestWire holds what goes over the wire in each revision of the protocol.
func TestWire(t *testing.T) { runStories(t, "testdata/wire") }

func runStories(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir:           dir,
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+env.Getenv("PATH"))
			home := filepath.Join(filepath.Dir(binary), "home") // beside the work folders, not above them
			env.Setenv("HOME", home)
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"mcp": mcpCommand, "normal": normalCommand},
	})
}

// volatile are the figures of an answer that differ from run to run, and the
// version, which differs from checkout to checkout.
var (
	volatile      = regexp.MustCompile(`(\\?"(?:executionTimeMs|ms)\\?": ?)\d+`)
	serverVersion = regexp.MustCompile(`("name":"codemode-mcp","title":"[^"]*","version":)"[^"]*"`)
)

func normalise(s string) string {
	return serverVersion.ReplaceAllString(volatile.ReplaceAllString(s, "${1}0"), `${1}"dev"`)
}

// normalCommand prints the last command's stdout with its volatile figures zeroed.
func normalCommand(ts *testscript.TestScript, neg bool, args []string) {
	fmt.Fprint(ts.Stdout(), normalise(ts.ReadFile("stdout")))
}

// mcpCommand is: mcp FILE [server arguments]. Lines are sent one by one, each
// after the answer to the one before; "//" begins a comment. Notifications that
// come meanwhile are printed where they came.
func mcpCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: mcp file [args...]")
	}
	cmd := exec.Command(binary, args[1:]...)
	cmd.Dir = ts.Getenv("WORK")
	for _, name := range []string{"PATH", "HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Env = append(cmd.Env, strings.Fields(ts.Getenv("MCPENV"))...)
	stdin, err := cmd.StdinPipe()
	ts.Check(err)
	stdout, err := cmd.StdoutPipe()
	ts.Check(err)
	cmd.Stderr = ts.Stderr()
	ts.Check(cmd.Start())
	guard := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer guard.Stop()
	answers := bufio.NewReaderSize(stdout, 1<<20)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		fmt.Fprintln(stdin, line)
		var sent struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal([]byte(line), &sent) == nil && sent.Method != "" && sent.ID == nil {
			continue // a notification has no answer
		}
		for {
			got, err := answers.ReadString('\n')
			if err != nil {
				ts.Fatalf("after %q: %v", line, err)
			}
			fmt.Fprint(ts.Stdout(), normalise(got))
			var m struct {
				Method string `json:"method"`
			}
			if json.Unmarshal([]byte(got), &m) == nil && m.Method == "" {
				break
			}
		}
	}
	stdin.Close()
	if err := cmd.Wait(); (err != nil) != neg {
		ts.Fatalf("the server ended with %v", err)
	}
}
