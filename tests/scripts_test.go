package tests

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestLanguage runs the small scripts of scripts/*.txtar through one server per
// file. After each script comes a section "want" with one line per expectation:
//
//	= JSON            the run succeeded with this result
//	! kind: text      it failed with this kind, and text is in the message
//	@ line:column     where
//	| text            a line of the excerpt
//	# text            is in the stack
//	? text            is in the hint
//	~ text            is in a warning; the warnings must be these, in order
//	> text            a line of the logs; the logs must be these, in order
//	+ block           a block emitted beside the envelope; "...N" is all N of them
//	calls N           how many tool calls were counted
//	with JSON         further arguments of execute_script
//
// A script whose name ends in "(quoted)" is a Go string literal. A section
// "upstream NAME" is the JSON of a stub server that the scripts of the file can
// call (see fault.stub). A header "env: NAME=value ..." sets limits for the file. With -update the results and
// failures are rewritten; read the diff.
func TestLanguage(t *testing.T) { runLanguage(t, "scripts/*.txtar") }

// TestDialects runs scripts as the users of other systems write them.
func TestDialects(t *testing.T) { runLanguage(t, "dialects/*.txtar") }

func runLanguage(t *testing.T, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runScriptFile(t, file) })
	}
}

// languageFiles is the workspace that the scripts see.
var languageFiles = map[string]string{
	"a.txt": "alpha\n", "b.txt": "beta\n", "data.json": `{"n": 1}`, "src/one.js": "// TODO one\n", "src/two.js": "// two\n",
}

func runScriptFile(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"TZ=UTC"}
	for line := range strings.Lines(string(archive.Comment)) {
		if pairs, ok := strings.CutPrefix(line, "env: "); ok {
			env = append(env, strings.Fields(pairs)...)
		}
	}
	var scripts []*txtar.File
	servers := upstreams{}
	for i := range archive.Files {
		f := &archive.Files[i]
		name, ok := strings.CutPrefix(f.Name, "upstream ")
		if !ok {
			scripts = append(scripts, f)
			continue
		}
		path := filepath.Join(t.TempDir(), "stub.json")
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		servers[name] = "stub=" + path
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "config.json")
	if err := os.WriteFile(config, []byte(servers.config(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	env = append(env, "CODE_MODE_CACHE_DIR="+filepath.Join(dir, "cache"))
	c := startClient(t, env, "serve", "--config", config, "--workspace", workspaceOf(t, languageFiles), "--log-level", "error")
	if len(servers) > 0 {
		c.tools() // waits until the servers are there
	}
	for i := 0; i+1 < len(scripts); i += 2 {
		script, want := *scripts[i], scripts[i+1]
		if want.Name != "want" {
			t.Fatalf("%s: the section after %q is %q, not want", file, script.Name, want.Name)
		}
		t.Run(script.Name, func(t *testing.T) {
			got, failure := expectations(t, c, script, string(want.Data))
			if failure == "" {
				return
			}
			if *update {
				want.Data = []byte(got)
				return
			}
			t.Errorf("%s\nwant/got:\n%s", failure, cmp.Diff(string(want.Data), got))
		})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// unescape undoes what the SDK's encoder escapes for HTML.
var unescape = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// visible keeps a log line on one line.
var visible = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\x00", `\0`, "\x1b", `\e`, "\u2028", `\u2028`)

// expectations runs a script and checks every line of want. When one does not
// hold it gives the lines as they would be right.
func expectations(t *testing.T, c *client, script txtar.File, want string) (got, failure string) {
	source := strings.TrimSuffix(string(script.Data), "\n")
	if strings.HasSuffix(script.Name, "(quoted)") {
		var err error
		if source, err = strconv.Unquote(source); err != nil {
			t.Fatalf("the script is no Go string: %v", err)
		}
	}
	args := map[string]any{"script": source}
	var lines []string
	var warnings, logs, blocks int
	for line := range strings.Lines(want) {
		line = strings.TrimSuffix(line, "\n")
		lines = append(lines, line)
		if more, ok := strings.CutPrefix(line, "with "); ok {
			if err := json.Unmarshal([]byte(more), &args); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
	}
	env := c.runWith(args)
	for i, line := range lines {
		mark, rest, _ := strings.Cut(line, " ")
		actual, ok := "", true
		switch mark {
		case "=":
			actual = unescape.Replace(string(env.Result))
			if env.Error != "" {
				lines[i] = fmt.Sprintf("! %s: %s", env.Kind, env.Message)
				return strings.Join(lines, "\n") + "\n", "it failed"
			}
			ok = actual == rest
		case "!":
			kind, text, _ := strings.Cut(rest, ": ")
			actual = env.Kind + ": " + env.Message
			if env.Error == "" {
				lines[i] = "= " + string(env.Result)
				return strings.Join(lines, "\n") + "\n", "it succeeded"
			}
			ok = env.Kind == kind && strings.Contains(env.Message, text)
		case "@":
			actual = fmt.Sprintf("%d:%d", env.Line, env.Column)
			ok = actual == rest
		case "|":
			actual = env.Excerpt
			ok = strings.Contains("\n"+env.Excerpt+"\n", "\n"+rest+"\n")
		case "#":
			actual = strings.ReplaceAll(env.Stack, "\n", " / ")
			ok = strings.Contains(env.Stack, rest)
		case "?":
			actual = env.Hint
			ok = rest != "" && strings.Contains(env.Hint, rest)
		case "~":
			if warnings < len(env.Warnings) {
				actual = env.Warnings[warnings]
			}
			ok = rest != "" && strings.Contains(actual, rest)
			warnings++
		case ">":
			if logs < len(env.Logs) {
				actual = visible.Replace(env.Logs[logs])
			}
			ok = actual == rest
			logs++
		case "+":
			if n, ok := strings.CutPrefix(rest, "..."); ok && strconv.Itoa(len(env.Content)) == n {
				blocks = len(env.Content)
				continue
			}
			if blocks < len(env.Content) {
				actual = env.Content[blocks]
			}
			ok = actual == rest
			blocks++
		case "calls":
			actual = strconv.Itoa(env.Count)
			ok = actual == rest
		case "with":
		default:
			t.Fatalf("unknown expectation %q", line)
		}
		if !ok {
			lines[i] = mark + " " + actual
			failure += fmt.Sprintf("%s is not so\n", line)
		}
	}
	for _, w := range env.Warnings[min(warnings, len(env.Warnings)):] {
		lines = append(lines, "~ "+w)
		failure += "an unexpected warning\n"
	}
	for _, l := range env.Logs[min(logs, len(env.Logs)):] {
		lines = append(lines, "> "+visible.Replace(l))
		failure += "an unexpected log line\n"
	}
	for _, b := range env.Content[min(blocks, len(env.Content)):] {
		lines = append(lines, "+ "+b)
		failure += "an unexpected block\n"
	}
	return strings.Join(lines, "\n") + "\n", failure
}
