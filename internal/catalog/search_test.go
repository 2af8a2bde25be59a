package catalog

import (
	"strings"
	"testing"

	"codemode-mcp/internal/policy"
)

func TestSearch(t *testing.T) {
	c, err := New([]Tool{
		{Server: "workspace", Name: "read_file", Title: "Read a file", Description: "Read a UTF-8 text file, whole or by lines."},
		{Server: "workspace", Name: "write_file", Title: "Write a file", Description: "Create or replace a file.", Role: policy.Editor},
		{Server: "workspace", Name: "grep", Title: "Search file contents", Description: "Search text files line by line for a regular expression."},
		{Server: "github", Name: "createPullRequest", Description: "Open a pull request."},
		{Server: "github", Name: "list_issues", Description: "List the issues of a repository."},
	})
	if err != nil {
		t.Fatal(err)
	}
	editor, viewer := policy.Principal{Role: policy.Editor}, policy.Principal{Role: policy.Viewer}
	tests := []struct {
		p     policy.Principal
		query string
		want  string
	}{
		{editor, "read files", "workspace.read_file workspace.write_file workspace.grep"},
		{editor, "search text", "workspace.grep workspace.read_file"},
		{editor, "creating pull requests", "github.createPullRequest workspace.write_file"},
		{editor, "issue", "github.list_issues"},
		{editor, "grep", "workspace.grep"},
		{editor, "select:grep, read_file,none,grep", "workspace.grep workspace.read_file"},
		{editor, "SELECT:github.list_issues", "github.list_issues"},
		{editor, "+file", "workspace.read_file workspace.write_file"},
		{editor, "+FILE replace", "workspace.write_file workspace.read_file"},
		{editor, "+github pull", "github.createPullRequest github.list_issues"},
		{viewer, "write", "github.createPullRequest"},
		{viewer, "select:write_file", ""},
		{editor, "nothing of the kind zebra", ""},
		{editor, "", ""},
		{editor, "Read_File please", "workspace.read_file workspace.write_file workspace.grep"},
		{editor, "isue", "github.list_issues"},
		{editor, "repos", "github.list_issues"},
		{editor, "+", "github.createPullRequest workspace.grep github.list_issues workspace.read_file workspace.write_file"},
		{editor, strings.Repeat("x", 1<<20), ""},
	}
	for _, tt := range tests {
		var got []string
		for _, tool := range c.Search(tt.p, Query{Text: tt.query}) {
			got = append(got, tool.Path())
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("Search(%.40q) = %v, want %s", tt.query, got, tt.want)
		}
	}
}

func TestSearchOfOneServer(t *testing.T) {
	c, err := New([]Tool{
		{Server: "one", Name: "b"}, {Server: "one", Name: "a", Role: policy.Admin}, {Server: "two", Name: "a"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[Query]string{
		{Server: "one"}:                     "one.b",
		{Server: "two", Text: "a"}:          "two.a",
		{Server: "none", Text: "a"}:         "",
		{Server: "two", Text: "select:b,a"}: "two.a",
	} {
		var got []string
		for _, tool := range c.Search(policy.Principal{}, query) {
			got = append(got, tool.Path())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("Search(%v) = %v, want %s", query, got, want)
		}
	}
}
