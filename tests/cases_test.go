package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

// casesElsewhere are the tests of cases that a script and its envelope can't show
// alone.
var casesElsewhere = map[string]string{
	"ASY-05": "TestMemoryIsFlat",
	"ASY-12": "TestManyRunsAtOnce",
	"ERR-07": "TestWire",
	"MEM-01": "TestHostile",
	"MEM-03": "TestHostile",
	"MEM-04": "TestHostile",
	"MEM-10": "TestHeartbeat",
	"SYN-11": "TestLargeScripts",
}

// Every case of testdata/cases.txt is a script of its number, or a test that is
// there.
func TestCasesAreCovered(t *testing.T) {
	list, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string]bool{}
	files, err := filepath.Glob("scripts/cases_*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			id, _, _ := strings.Cut(f.Name, " ")
			scripts[id] = true
		}
	}
	var tests []string
	sources, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, file := range sources {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			tests = append(tests, m[1])
		}
	}
	n := 0
	for line := range strings.Lines(string(list)) {
		id, _, _ := strings.Cut(line, " ")
		if id == "#" {
			continue
		}
		n++
		switch test := casesElsewhere[id]; {
		case scripts[id]:
		case test == "":
			t.Errorf("case %s has no script and no test", strings.TrimSpace(line))
		case !slices.Contains(tests, test):
			t.Errorf("case %s: there is no %s", id, test)
		}
	}
	if n < 60 {
		t.Errorf("only %d cases are listed", n)
	}
}

// Fifty runs at once get their own answers, in order (case ASY-12).
func TestManyRunsAtOnce(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "stub.json")
	if err := os.WriteFile(stub, []byte(`{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := startWith(t, upstreams{"s": "stub=" + stub})
	c.tools()
	var wg sync.WaitGroup
	for run := range 50 {
		wg.Go(func() {
			env, err := c.attempt(fmt.Sprintf(`const all = await Promise.all([...Array(20).keys()].map(i => tools.s.echo({i: i + %d})))
return all.every((r, i) => r.args.i === i + %d) && all.length`, run*100, run*100))
			if err != nil || string(env.Result) != "20" && env.Kind != "busy" {
				t.Errorf("run %d: %v %s %s %s", run, err, env.Kind, env.Message, env.Result)
			}
		})
	}
	wg.Wait()
}
