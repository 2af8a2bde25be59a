package catalog

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode-mcp/internal/policy"
)

func sample(t *testing.T) *Catalog {
	t.Helper()
	c, err := New([]Tool{
		{Server: Workspace, Name: "read_file"},
		{Server: Workspace, Name: "delete_file", Role: policy.Admin},
		{Server: "github", Name: "search_issues"},
		{Server: "github", Name: "get"},
		{Server: "jira", Name: "get"},
		{Server: "jira", Name: "__proto__"},
		{Server: "a__b", Name: "c__d"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFind(t *testing.T) {
	c := sample(t)
	admin, viewer := policy.Principal{Role: policy.Admin}, policy.Principal{Role: policy.Viewer}
	tests := []struct {
		p    policy.Principal
		name string
		want string // path, or part of the error
	}{
		{admin, "read_file", "workspace.read_file"},
		{admin, "workspace.read_file", "workspace.read_file"},
		{admin, "workspace__read_file", "workspace.read_file"},
		{admin, "mcp__workspace__read_file", "workspace.read_file"},
		{admin, "github/search_issues", "github.search_issues"},
		{admin, "github:search_issues", "github.search_issues"},
		{admin, "search_issues", "github.search_issues"},
		{admin, "jira__get", "jira.get"},
		{admin, "a__b__c__d", "a__b.c__d"},
		{admin, "__proto__", "jira.__proto__"},
		{admin, "jira.__proto__", "jira.__proto__"},
		{admin, "get", `several servers have a tool named "get": use github.get or jira.get`},
		{admin, "delete_file", "workspace.delete_file"},
		{viewer, "delete_file", "workspace.delete_file needs the role admin, and this session has viewer"},
		{viewer, "workspace.delete_file", "needs the role admin"},
		{admin, "readFile", "did you mean workspace.read_file?"},
		{admin, "github.serach_issues", "did you mean github.search_issues?"},
		{admin, "githb.search_issues", "did you mean github.search_issues?"},
		{admin, "issues", "did you mean github.search_issues?"},
		{admin, "", `no tool is named ""`},
		{admin, strings.Repeat("x", 1<<16), `no tool is named`},
	}
	for _, tt := range tests {
		got, err := c.Find(tt.p, tt.name)
		switch {
		case err == nil && got.Path() != tt.want:
			t.Errorf("Find(%.40q) = %s, want %s", tt.name, got.Path(), tt.want)
		case err != nil && !strings.Contains(err.Error(), tt.want):
			t.Errorf("Find(%.40q): %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestSuggestionsKeepSecrets(t *testing.T) {
	_, err := sample(t).Find(policy.Principal{Role: policy.Viewer}, "delete_files")
	var nf *NotFoundError
	if !errors.As(err, &nf) || len(nf.Near) != 0 {
		t.Errorf("a viewer was told of a tool it may not call: %v", err)
	}
}

func TestVisible(t *testing.T) {
	var got []string
	for _, tool := range sample(t).Visible(policy.Principal{Role: policy.Viewer}) {
		got = append(got, tool.PublicName())
	}
	want := []string{"a__b__c__d", "github__get", "github__search_issues", "jira____proto__", "jira__get", "read_file"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDuplicate(t *testing.T) {
	if _, err := New([]Tool{{Server: "s", Name: "t"}, {Server: "s", Name: "t"}}); err == nil {
		t.Error("two tools of one name were accepted")
	}
}

func TestNearest(t *testing.T) {
	got := Nearest("pth", []string{"path", "pattern", "paths", "content"})
	if d := cmp.Diff([]string{"path", "paths"}, got); d != "" {
		t.Error(d)
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 80)
	tools := []Tool{
		{Server: "s", Name: "catalog.query"}, {Server: "s", Name: "catalog_query"}, {Server: "s", Name: "catalog-query"},
		{Server: "s", Name: long + "a"}, {Server: "s", Name: long + "b"}, {Server: "s", Name: "1st"}, {Server: "s", Name: "é"},
		{Server: "my-server", Name: "who"}, {Server: "my_server", Name: "who"},
		{Server: "a__b", Name: "c"}, {Server: "a", Name: "b__c"},
		{Server: "d.e", Name: "f"}, {Server: "d", Name: "e.f"},
		{Server: "then", Name: "constructor"}, {Server: "__proto__", Name: "toString"},
	}
	c, err := New(tools)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(tools)
	reversed, err := New(tools)
	if err != nil {
		t.Fatal(err)
	}
	admin := policy.Principal{Role: policy.Admin}
	valid := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	seen := map[string]bool{}
	for i, tool := range c.Visible(admin) {
		name := tool.PublicName()
		if !valid.MatchString(name) || seen[name] {
			t.Errorf("public name %q is not valid or not unique", name)
		}
		seen[name] = true
		if other := reversed.Visible(admin)[i]; other.PublicName() != name || other.ToolIdent() != tool.ToolIdent() {
			t.Errorf("the name of %s depends on the order of the list", tool.Path())
		}
		for _, way := range []string{name, "mcp__" + name, tool.ServerIdent() + "." + tool.ToolIdent(), tool.ServerIdent() + "/" + tool.ToolIdent()} {
			if got, err := c.Find(admin, way); err != nil || got != tool {
				t.Errorf("Find(%q) = %v, %v, want %s", way, got, err, tool.Path())
			}
		}
	}
	for name, want := range map[string]string{
		"a__b__c": "several servers have a tool named \"a__b__c\": use a__b__c_", "d.e.f": "several servers",
		"s.catalog.query": "", "s.catalog_query": "", "s.catalog-query": "", "my-server.who": "", "my_server.who": "",
	} {
		got, err := c.Find(admin, name)
		if want == "" && (err != nil || got.Path() != name) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("Find(%q) = %v, %v, want %s", name, got, err, want)
		}
	}
}
