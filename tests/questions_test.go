package tests

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
)

// policyAdmin may call everything.
var policyAdmin = policy.Principal{Role: policy.Admin}

// serverOf names the servers whose recorded list has another name.
var serverOf = map[string]string{"grafana-all": "grafana", "kubernetes-flux159": "kubernetes"}

// recordedTools reads the tool lists of real servers, by server.
func recordedTools(t testing.TB) map[string][]catalog.Tool {
	t.Helper()
	files, err := filepath.Glob("testdata/catalogs/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded catalogs: %v", err)
	}
	out := map[string][]catalog.Tool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var recorded struct {
			Tools []struct {
				Name, Title, Description  string
				InputSchema, OutputSchema json.RawMessage
			}
		}
		if err := json.Unmarshal(text, &recorded); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		server := strings.TrimSuffix(filepath.Base(file), ".json")
		if other := serverOf[server]; other != "" {
			server = other
		}
		for _, tool := range recorded.Tools {
			out[server] = append(out[server], catalog.Tool{Server: server, Name: tool.Name, Title: tool.Title,
				Description: tool.Description, InputSchema: tool.InputSchema, OutputSchema: tool.OutputSchema})
		}
	}
	return out
}

func recordedCatalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	var all []catalog.Tool
	for _, tools := range recordedTools(t) {
		all = append(all, tools...)
	}
	c, err := catalog.New(all)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A search finds what a person would want: the share of questions whose tool
// comes first, and among the first five.
func TestQuestions(t *testing.T) {
	c := recordedCatalog(t)
	for _, set := range []struct {
		file        string
		first, five int // in hundredths
	}{{"asked.txt", 80, 95}, {"more.txt", 72, 90}, {"kept-aside.txt", 80, 92}} {
		text, err := os.ReadFile("testdata/questions/" + set.file)
		if err != nil {
			t.Fatal(err)
		}
		n, first, five := 0, 0, 0
		for line := range strings.Lines(string(text)) {
			question, answers, ok := strings.Cut(strings.TrimSpace(line), " => ")
			if !ok || line[0] == '#' {
				continue
			}
			n++
			var got []string
			for _, tool := range c.Search(policy.Principal{}, catalog.Query{Text: question}) {
				got = append(got, tool.Path())
			}
			at := slices.IndexFunc(got, func(path string) bool { return slices.Contains(strings.Split(answers, " | "), path) })
			if at == 0 {
				first++
			}
			if at >= 0 && at < 5 {
				five++
			}
			if at != 0 {
				t.Logf("%s: %q is found at %d, before it %v", set.file, question, at+1, got[:min(len(got), max(at, 3), 5)])
			}
		}
		t.Logf("%s: of %d questions the right tool is first for %d%%, among the first five for %d%%", set.file, n, 100*first/n, 100*five/n)
		if 100*first/n < set.first || 100*five/n < set.five {
			t.Errorf("%s: want %d%% and %d%%", set.file, set.first, set.five)
		}
	}
}
