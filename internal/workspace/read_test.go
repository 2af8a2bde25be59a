package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadRanges(t *testing.T) {
	w, _ := open(t, files{"five": "1\n2\n3\n4\n5\n", "noend": "1\n2\n3", "empty": "", "crlf": "a\r\nb\r\n", "blank": "\n", "utf": "é\n日本\n"})
	for _, tt := range []struct {
		path       string
		start, end int
		want       readResult
	}{
		{"five", 0, 0, readResult{Content: "1\n2\n3\n4\n5\n", TotalLines: 5, StartLine: 1, EndLine: 5}},
		{"five", 2, 3, readResult{Content: "2\n3\n", TotalLines: 5, StartLine: 2, EndLine: 3}},
		{"five", 5, 5, readResult{Content: "5\n", TotalLines: 5, StartLine: 5, EndLine: 5}},
		{"five", 4, 99, readResult{Content: "4\n5\n", TotalLines: 5, StartLine: 4, EndLine: 5}},
		{"five", 0, 1, readResult{Content: "1\n", TotalLines: 5, StartLine: 1, EndLine: 1}},
		{"noend", 0, 0, readResult{Content: "1\n2\n3", TotalLines: 3, StartLine: 1, EndLine: 3}},
		{"noend", 3, 0, readResult{Content: "3", TotalLines: 3, StartLine: 3, EndLine: 3}},
		{"noend", 1, 2, readResult{Content: "1\n2\n", TotalLines: 3, StartLine: 1, EndLine: 2}},
		{"empty", 0, 0, readResult{StartLine: 1}},
		{"blank", 0, 0, readResult{Content: "\n", TotalLines: 1, StartLine: 1, EndLine: 1}},
		{"crlf", 0, 0, readResult{Content: "a\r\nb\r\n", TotalLines: 2, StartLine: 1, EndLine: 2}},
		{"utf", 2, 2, readResult{Content: "日本\n", TotalLines: 2, StartLine: 2, EndLine: 2}},
	} {
		args := object{"path": tt.path}
		if tt.start > 0 {
			args["startLine"] = tt.start
		}
		if tt.end > 0 {
			args["endLine"] = tt.end
		}
		tt.want.Path = tt.path
		if d := cmp.Diff(&tt.want, run[readResult](t, w, "read_file", args)); d != "" {
			t.Errorf("read %v: %s", args, d)
		}
	}
	wantError(t, w, "read_file", object{"path": "five", "startLine": 6}, KindInvalid, "5 lines")
	wantError(t, w, "read_file", object{"path": "empty", "startLine": 2}, KindInvalid, "0 lines")
	wantError(t, w, "read_file", object{"path": "five", "startLine": 3, "endLine": 2}, KindInvalid, "before")
}

func TestReadRefusesWhatIsNotText(t *testing.T) {
	w, _ := open(t, files{
		"bin": "ELF\x00\x01", "latin": "caf\xe9\n", "late": strings.Repeat("x\n", sniffBytes*20) + "\x00\n",
		"mixed": "fine\n\xff\n",
	})
	wantError(t, w, "read_file", object{"path": "bin"}, KindNotText, "binary", "5 bytes")
	wantError(t, w, "read_file", object{"path": "latin"}, KindNotText, "UTF-8", "offset 3")
	wantError(t, w, "read_file", object{"path": "late", "startLine": sniffBytes * 20}, KindNotText)
	run[readResult](t, w, "read_file", object{"path": "mixed", "endLine": 1}) // only what is given must be text
}

// Reading on as the note says gives the whole file, whatever its lines.
func TestReadBigFileInPieces(t *testing.T) {
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "line %d é\n", i)
	}
	w, root := open(t, files{"big": b.String()})
	var got strings.Builder
	start := 1
	for calls := 1; ; calls++ {
		r := run[readResult](t, w, "read_file", object{"path": "big", "startLine": start})
		if len(r.Content) > maxReadBytes || r.TotalLines != 60_000 {
			t.Fatalf("call %d: %d bytes, %d lines", calls, len(r.Content), r.TotalLines)
		}
		got.WriteString(r.Content)
		if !r.Truncated {
			if calls < 3 {
				t.Errorf("%d calls were enough", calls)
			}
			break
		}
		start = r.EndLine + 1
		if want := fmt.Sprintf("startLine %d", start); !strings.Contains(r.Note, want) {
			t.Fatalf("note %q does not say %q", r.Note, want)
		}
	}
	if got.String() != b.String() {
		t.Error("the pieces are not the file")
	}

	long := strings.Repeat("é", maxReadBytes) // an odd offset would cut one in half
	must(t, os.WriteFile(filepath.Join(root, "long"), []byte("x"+long+"\nnext\n"), 0o644))
	r := run[readResult](t, w, "read_file", object{"path": "long"})
	if !r.Truncated || r.EndLine != 1 || !strings.Contains(r.Note, "startLine 2") || len(r.Content) < maxReadBytes-2 || len(r.Content) > maxReadBytes {
		t.Errorf("a long line gave %d bytes, %+v", len(r.Content), r.Note)
	}
	if r := run[readResult](t, w, "read_file", object{"path": "long", "startLine": 2}); r.Content != "next\n" || r.Truncated {
		t.Errorf("after the long line: %+v", r)
	}
}

func TestListDirectory(t *testing.T) {
	w, root := open(t, files{"b.txt": "12345", "a/": "", "c": "-> b.txt", "A.txt": ""})
	size := func(n int64) *int64 { return &n }
	want := &listResult{Path: ".", Total: 4, Entries: []listEntry{
		{"A.txt", "file", size(0)}, {"a", "directory", nil}, {"b.txt", "file", size(5)}, {"c", "symlink", nil},
	}}
	if d := cmp.Diff(want, run[listResult](t, w, "list_directory", object{})); d != "" {
		t.Error(d)
	}
	if got := run[listResult](t, w, "list_directory", object{"path": "a"}); got.Entries == nil || len(got.Entries) != 0 {
		t.Errorf("an empty folder gave %+v", got)
	}
	for i := range maxListEntries*2 + 500 {
		must(t, os.WriteFile(filepath.Join(root, "a", fmt.Sprintf("f%05d", i)), nil, 0o644))
	}
	got := run[listResult](t, w, "list_directory", object{"path": "a"})
	if !got.Truncated || got.Total != maxListEntries*2+500 || len(got.Entries) != maxListEntries || got.Entries[maxListEntries-1].Name != "f00999" {
		t.Errorf("a big folder gave %d of %d", len(got.Entries), got.Total)
	}
	wantError(t, w, "list_directory", object{"path": "b.txt"}, KindWrongType)
}

func TestFileInfo(t *testing.T) {
	w, root := open(t, files{"f": "12345", "d/": "", "in": "-> d", "out": "-> /etc", "broken": "-> nothing"})
	must(t, os.Chmod(filepath.Join(root, "f"), 0o640))
	got := run[infoResult](t, w, "file_info", object{"path": "f"})
	if got.Type != "file" || got.Size != 5 || got.Mode != "-rw-r-----" || !strings.HasSuffix(got.Modified, "Z") {
		t.Errorf("file: %+v", got)
	}
	for path, want := range map[string][3]string{
		"d": {"directory", "", ""}, "in": {"symlink", "inside", "d"}, "out": {"symlink", "outside", ""}, "broken": {"symlink", "broken", ""},
	} {
		got := run[infoResult](t, w, "file_info", object{"path": path})
		if [3]string{got.Type, got.Link, got.Target} != want {
			t.Errorf("%s: %+v, want %v", path, got, want)
		}
	}
}
