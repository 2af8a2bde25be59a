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
		limit int
		want  string
	}{
		{editor, "read files", 5, "workspace.read_file workspace.write_file workspace.grep"},
		{editor, "search text", 1, "workspace.grep"},
		{editor, "creating pull requests", 1, "github.createPullRequest"},
		{editor, "issue", 5, "github.list_issues"},
		{editor, "grep", 5, "workspace.grep"},
		{editor, "select:grep, read_file,none,grep", 1, "workspace.grep workspace.read_file"},
		{editor, "SELECT:github.list_issues", 0, "github.list_issues"},
		{editor, "+file", 5, "workspace.read_file workspace.write_file"},
		{editor, "+FILE replace", 5, "workspace.write_file"},
		{editor, "+github pull", 5, "github.createPullRequest"},
		{viewer, "write", 5, ""},
		{viewer, "select:write_file", 5, ""},
		{editor, "nothing of the kind zebra", 5, ""},
		{editor, "", 5, ""},
		{editor, "read", -1, ""},
		{editor, strings.Repeat("x", 1<<20), 5, ""},
	}
	for _, tt := range tests {
		var got []string
		for _, tool := range c.Search(tt.p, tt.query, tt.limit) {
			got = append(got, tool.Path())
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("Search(%.40q, %d) = %v, want %s", tt.query, tt.limit, got, tt.want)
		}
	}
}
