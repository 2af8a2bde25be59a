package textsearch

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for in, want := range map[string]string{
		"readFile":               "read file",
		"READ_FILE":              "read file",
		"HTTPServer getURL":      "http server get url",
		"d1_query k8s-node.list": "d1 query k8s node list",
		"a user's page":          "a user page",
		"don't":                  "don t",
		"Größe ändern":           "größe ändern",
		"":                       "",
		strings.Repeat("x", 99):  "",
	} {
		if got := strings.Join(split(in), " "); got != want {
			t.Errorf("split(%q) = %q, want %q", in, got, want)
		}
	}
	if n := len(split(strings.Repeat("a ", 1e6))); n != maxWords {
		t.Errorf("%d words were taken", n)
	}
}

func TestScores(t *testing.T) {
	x := New([]Field{{Weight: 5, Doing: true, Compounds: true}, {Weight: 1}, {Weight: 2, Place: true}}, [][]string{
		{"create_file", "Creates files", "disk"},
		{"delete_file", "Deletes files", "disk"},
		{"read_file", "Reads a file", "disk"},
		{"list_issues", "Lists the issues", "github"},
		{"on-call", "Who is next", "pager"},
	})
	for query, want := range map[string]int{
		"make files":      0,
		"remove the file": 1,
		"show me a file":  2,
		"issues":          3,
		"isues":           3,
		"iss":             -1,
		"issu":            3,
		"oncall":          4,
		"on call":         4,
		"zebra":           -1,
		"the":             -1,
		"":                -1,
	} {
		scores := x.Scores(query)
		best := slices.Index(scores, slices.Max(scores))
		if slices.Max(scores) == 0 {
			best = -1
		}
		if best != want {
			t.Errorf("%q finds %d with %v, want %d", query, best, scores, want)
		}
	}
}

func TestNoDocuments(t *testing.T) {
	if got := New([]Field{{Weight: 1}}, nil).Scores("anything at all"); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func FuzzScores(f *testing.F) {
	x := New([]Field{{Weight: 1, Compounds: true}}, [][]string{{"read a file"}, {"ünï 文字 \xff"}})
	f.Add("read files")
	f.Add("\xff\xfe 文字's 's")
	f.Fuzz(func(t *testing.T, query string) {
		for _, score := range x.Scores(query) {
			if !(score >= 0) {
				t.Errorf("%q scores %v", query, score)
			}
		}
	})
}
