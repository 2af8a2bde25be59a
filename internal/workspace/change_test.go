package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteFile(t *testing.T) {
	w, root := open(t, files{"old.sh": "old", "d/": ""})
	must(t, os.Chmod(filepath.Join(root, "old.sh"), 0o750))
	before, err := os.Stat(filepath.Join(root, "old.sh"))
	must(t, err)
	if got := run[writeResult](t, w, "write_file", object{"path": "old.sh", "content": "new"}); got.Created || got.BytesWritten != 3 {
		t.Errorf("replace: %+v", got)
	}
	after, err := os.Stat(filepath.Join(root, "old.sh"))
	must(t, err)
	if after.Mode() != before.Mode() {
		t.Errorf("the mode went from %v to %v", before.Mode(), after.Mode())
	}
	if os.SameFile(before, after) {
		t.Error("the file was written in place")
	}
	if got := run[writeResult](t, w, "write_file", object{"path": "x/y/z.txt", "content": ""}); !got.Created || got.Path != "x/y/z.txt" {
		t.Errorf("create: %+v", got)
	}
	wantError(t, w, "write_file", object{"path": "p/q.txt", "content": "", "createParents": false}, KindNotFound, `"p"`)
	wantError(t, w, "write_file", object{"path": "d", "content": ""}, KindWrongType, "folder")
	wantError(t, w, "write_file", object{"path": ".", "content": ""}, KindWrongType)
	wantError(t, w, "write_file", object{"path": "old.sh/x", "content": ""}, KindWrongType)
	wantError(t, w, "write_file", object{"path": "big", "content": strings.Repeat("x", maxWriteBytes+1)}, KindTooLarge)
	if exists(filepath.Join(root, "p")) {
		t.Error("a refused write made a folder")
	}
	noTemps(t, root)
}

// noTemps fails when a temporary file is left.
func noTemps(t *testing.T, root string) {
	t.Helper()
	must(t, filepath.Walk(root, func(path string, _ os.FileInfo, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".codemode-") {
			t.Errorf("%s was left behind", path)
		}
		return err
	}))
}

func TestWriteRespectsReadOnlyFiles(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	w, root := open(t, files{"ro": "x"})
	must(t, os.Chmod(filepath.Join(root, "ro"), 0o444))
	wantError(t, w, "write_file", object{"path": "ro", "content": "y"}, KindDenied)
}

// A reader sees the old text or the new one, never a part.
func TestReplaceIsAtomic(t *testing.T) {
	texts := map[string]bool{strings.Repeat("a", 100_000): true, strings.Repeat("b", 50_000): true}
	w, root := open(t, files{"f": strings.Repeat("a", 100_000)})
	var writers sync.WaitGroup
	for text := range texts {
		writers.Go(func() {
			for range 20 {
				if _, err := invoke(context.Background(), t, w, "write_file", object{"path": "f", "content": text}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		if got := content(t, filepath.Join(root, "f")); !texts[got] {
			t.Fatalf("a reader saw %d bytes of a mixture", len(got))
		}
	}
	noTemps(t, root)
}

func TestEditFile(t *testing.T) {
	for _, tt := range []struct {
		name, text, old, new string
		all                  bool
		want                 string
		result               editResult
		kind                 Kind
		words                []string
	}{
		{name: "once", text: "a\nb\nc\n", old: "b", new: "B", want: "a\nB\nc\n", result: editResult{Replacements: 1, Lines: []int{2}}},
		{name: "deleting", text: "a\nb\nc\n", old: "b\n", new: "", want: "a\nc\n", result: editResult{Replacements: 1, Lines: []int{2}}},
		{name: "all", text: "x\nx y x\n", old: "x", new: "zz", all: true, want: "zz\nzz y zz\n", result: editResult{Replacements: 3, Lines: []int{1, 2, 2}}},
		{name: "twice", text: "x\n\nx\n", old: "x", new: "y", kind: KindNotMatch, words: []string{"2 times", "lines 1, 3", "replaceAll"}},
		{name: "many", text: strings.Repeat("x\n", 30), old: "x", new: "y", kind: KindNotMatch, words: []string{"30 times", "19, 20, ..."}},
		{name: "absent", text: "x\n", old: "y", new: "z", kind: KindNotMatch, words: []string{"not in the file", "read the file again"}},
		{name: "absent with all", text: "x\n", old: "y", new: "z", all: true, kind: KindNotMatch},
		{name: "crlf in the file", text: "q\r\na\r\nb\r\n", old: "a\nb", new: "z", kind: KindNotMatch, words: []string{"line 2", `the file has \r\n`}},
		{name: "crlf sent", text: "a\nb\n", old: "a\r\nb", new: "z", kind: KindNotMatch, words: []string{`the file has \n`, `oldText has \r\n`}},
		{name: "wrong indent", text: "f() {\n\treturn 1\n}\n", old: "  return 1\n}", new: "z", kind: KindNotMatch, words: []string{"its first line is at line 2"}},
		{name: "same", text: "a", old: "a", new: "a", kind: KindInvalid},
		{name: "empty", text: "a", old: "", new: "b", kind: KindInvalid, words: []string{"write_file"}},
		{name: "binary", text: "a\x00", old: "a", new: "b", kind: KindNotText},
		{name: "latin", text: "a\xe9", old: "a", new: "b", kind: KindNotText},
		{name: "growing too large", text: strings.Repeat("x", 1<<20), old: "x", new: strings.Repeat("y", 100), all: true, kind: KindTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, root := open(t, files{"f": tt.text})
			must(t, os.Chmod(filepath.Join(root, "f"), 0o600))
			args := object{"path": "f", "oldText": tt.old, "newText": tt.new, "replaceAll": tt.all}
			if tt.kind != "" {
				wantError(t, w, "edit_file", args, tt.kind, tt.words...)
				tt.want = tt.text
			} else {
				tt.result.Path = "f"
				if d := cmp.Diff(&tt.result, run[editResult](t, w, "edit_file", args)); d != "" {
					t.Error(d)
				}
			}
			if got := content(t, filepath.Join(root, "f")); got != tt.want {
				t.Errorf("the file is now %q", got)
			}
			if info, err := os.Stat(filepath.Join(root, "f")); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the mode is now %v", info.Mode())
			}
			noTemps(t, root)
		})
	}
	w, _ := open(t, nil)
	wantError(t, w, "edit_file", object{"path": "none/f", "oldText": "a", "newText": "b"}, KindNotFound)
}

// Forty edits of one file at once, under three names, all count; and the locks
// leave nothing behind.
func TestParallelEdits(t *testing.T) {
	const n = 40
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "<%d>\n", i)
	}
	w, root := open(t, files{"d/f": text.String(), "link": "-> d/f", "dir": "-> d"})
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			path := []string{"d/f", "link", "dir/f"}[i%3]
			if _, err := invoke(context.Background(), t, w, "edit_file", object{"path": path, "oldText": fmt.Sprintf("<%d>", i), "newText": "done"}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := content(t, filepath.Join(root, "d/f")); got != strings.Repeat("done\n", n) {
		t.Errorf("edits were lost:\n%s", got)
	}
	w.locks.mu.Lock()
	defer w.locks.mu.Unlock()
	if len(w.locks.held) != 0 {
		t.Errorf("%d locks are left", len(w.locks.held))
	}
}

func TestLockGivesUpWithItsCaller(t *testing.T) {
	var l pathLocks
	unlock, err := l.lock(t.Context(), "b", "a", "A")
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.lock(ctx, "0", "b"); err == nil {
		t.Error("a lock was given twice")
	}
	unlock()
	unlock, err = l.lock(t.Context(), "0", "a", "b")
	must(t, err)
	unlock()
	if len(l.held) != 0 {
		t.Errorf("%d locks are left", len(l.held))
	}
}

func TestCreateDirectory(t *testing.T) {
	w, root := open(t, files{"f": "", "d/": "", "link": "-> d"})
	for _, tt := range []struct {
		path, want string
		created    bool
	}{{"d", "d", false}, {"a/b/c", "a/b/c", true}, {"a/b", "a/b", false}, {"link/new", "d/new", true}, {".", ".", false}} {
		got := run[mkdirResult](t, w, "create_directory", object{"path": tt.path})
		if got.Created != tt.created || got.Path != tt.want {
			t.Errorf("create %q: %+v", tt.path, got)
		}
	}
	if !exists(filepath.Join(root, "d/new")) {
		t.Error("nothing behind the link")
	}
	wantError(t, w, "create_directory", object{"path": "f"}, KindExists)
	wantError(t, w, "create_directory", object{"path": "f/x"}, KindWrongType)
}

func TestMoveFile(t *testing.T) {
	w, root := open(t, files{"a": "a", "b": "b", "dir/x/y": "y", "link": "-> a", "other/": ""})
	run[moveResult](t, w, "move_file", object{"source": "a", "destination": "new/deep/a"})
	run[moveResult](t, w, "move_file", object{"source": "dir", "destination": "moved"})
	run[moveResult](t, w, "move_file", object{"source": "link", "destination": "link2"})
	run[moveResult](t, w, "move_file", object{"source": "b", "destination": "B"})
	for _, p := range []string{"new/deep/a", "moved/x/y", "link2", "B"} {
		if !exists(filepath.Join(root, p)) {
			t.Errorf("%s is not there", p)
		}
	}
	wantError(t, w, "move_file", object{"source": "B", "destination": "moved/x/y"}, KindExists, "overwrite")
	wantError(t, w, "move_file", object{"source": "B", "destination": "other"}, KindExists, `"other/B"`)
	wantError(t, w, "move_file", object{"source": "B", "destination": "other", "overwrite": true}, KindExists)
	wantError(t, w, "move_file", object{"source": "moved", "destination": "B", "overwrite": true}, KindExists)
	wantError(t, w, "move_file", object{"source": "moved", "destination": "moved/x/in"}, KindInvalid, "itself")
	wantError(t, w, "move_file", object{"source": "B", "destination": "./B"}, KindInvalid, "same")
	wantError(t, w, "move_file", object{"source": ".", "destination": "x"}, KindInvalid)
	wantError(t, w, "move_file", object{"source": "none", "destination": "x"}, KindNotFound)
	if got := run[moveResult](t, w, "move_file", object{"source": "B", "destination": "moved/x/y", "overwrite": true}); !got.Overwritten {
		t.Errorf("overwrite: %+v", got)
	}
	if got := content(t, filepath.Join(root, "moved/x/y")); got != "b" || exists(filepath.Join(root, "B")) {
		t.Errorf("after the overwrite: %q", got)
	}
	must(t, os.Link(filepath.Join(root, "moved/x/y"), filepath.Join(root, "twin")))
	wantError(t, w, "move_file", object{"source": "twin", "destination": "moved/x/y", "overwrite": true}, KindExists, "two names")
}

func TestDeleteFile(t *testing.T) {
	w, root := open(t, files{"a": "", "d/x": "", "d/y/z": "", "link": "-> keep", "d/out": "-> ../keep", "keep/f": "", "empty/": ""})
	run[deleteResult](t, w, "delete_file", object{"path": "a"})
	run[deleteResult](t, w, "delete_file", object{"path": "link"})
	wantError(t, w, "delete_file", object{"path": "d"}, KindWrongType, "recursive")
	wantError(t, w, "delete_file", object{"path": "empty"}, KindWrongType)
	if got := run[deleteResult](t, w, "delete_file", object{"path": "d", "recursive": true}); got.Deleted != 5 {
		t.Errorf("delete: %+v", got)
	}
	if !exists(filepath.Join(root, "keep/f")) || exists(filepath.Join(root, "d")) || exists(filepath.Join(root, "link")) {
		t.Error("the wrong things are gone")
	}
	wantError(t, w, "delete_file", object{"path": "a"}, KindNotFound)
	for _, p := range []string{".", root, "keep/.."} {
		wantError(t, w, "delete_file", object{"path": p, "recursive": true}, KindInvalid, "root")
	}
}
