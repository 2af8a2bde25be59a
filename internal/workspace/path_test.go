package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// outsideOf puts a file next to the root and gives its folder.
func outsideOf(t testing.TB, root string) string {
	dir := filepath.Join(filepath.Dir(root), "outside")
	files{"secret.txt": "SECRET\n", "sub/deep.txt": "SECRET\n"}.write(t, dir)
	return dir
}

func TestContainment(t *testing.T) {
	w, root := open(t, files{
		"in.txt": "inside\n", "d/x.txt": "x\n",
		"up": "-> ../outside", "upfile": "-> ../outside/secret.txt", "d/up": "-> ../../outside",
		"etc": "-> /etc", "loop": "-> loop", "a": "-> b", "b": "-> a",
		"ok": "-> d", "okfile": "-> d/x.txt", "d/back": "-> ../in.txt", "chain": "-> ok/back", "gone": "-> nothing",
	})
	out := outsideOf(t, root)
	must(t, os.Symlink(filepath.Join(root, "d"), filepath.Join(root, "absolute")))
	must(t, syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644))

	refused := []struct {
		path string
		kind Kind
	}{
		{"..", KindOutside}, {"../outside/secret.txt", KindOutside}, {"d/../../outside/secret.txt", KindOutside},
		{"ok/../../outside", KindOutside}, {"./../root/in.txt", KindOutside},
		{"/etc/passwd", KindOutside}, {out + "/secret.txt", KindOutside}, {root + "/../outside/secret.txt", KindOutside},
		{root + "x", KindOutside}, {"/", KindOutside},
		{"up", KindOutside}, {"up/secret.txt", KindOutside}, {"upfile", KindOutside}, {"d/up/secret.txt", KindOutside},
		{"ok/up/secret.txt", KindOutside}, {"etc/passwd", KindOutside},
		{"loop", KindInvalid}, {"a", KindInvalid}, {"loop/x", KindInvalid},
		{"in.txt\x00", KindInvalid}, {"\x00", KindInvalid}, {"", KindInvalid}, {strings.Repeat("a/", 3000), KindInvalid},
		{"in.txt/x", KindWrongType}, {"fifo", KindWrongType}, {"d", KindWrongType},
		{"gone", KindNotFound}, {"nothing/../in.txt", KindNotFound},
	}
	for _, tt := range refused {
		wantError(t, w, "read_file", object{"path": tt.path}, tt.kind)
	}
	for _, tt := range refused {
		if tt.kind != KindOutside {
			continue
		}
		wantError(t, w, "list_directory", object{"path": tt.path + "/."}, KindOutside)
		wantError(t, w, "grep", object{"pattern": "SECRET", "path": tt.path}, KindOutside)
		wantError(t, w, "glob", object{"pattern": "**", "path": tt.path}, KindOutside)
		wantError(t, w, "write_file", object{"path": tt.path + "/new.txt", "content": "x"}, KindOutside)
		wantError(t, w, "create_directory", object{"path": tt.path + "/new"}, KindOutside)
		wantError(t, w, "edit_file", object{"path": tt.path, "oldText": "SECRET", "newText": "x"}, KindOutside)
		wantError(t, w, "move_file", object{"source": "in.txt", "destination": tt.path + "/new.txt"}, KindOutside)
		wantError(t, w, "move_file", object{"source": tt.path + "/secret.txt", "destination": "mine.txt"}, KindOutside)
		wantError(t, w, "delete_file", object{"path": tt.path + "/secret.txt"}, KindOutside)
	}
	for _, tool := range []string{"write_file", "edit_file"} {
		args := object{"path": "fifo", "content": "x"}
		if tool == "edit_file" {
			args = object{"path": "fifo", "oldText": "a", "newText": "b"}
		}
		wantError(t, w, tool, args, KindWrongType, "named pipe")
	}
	wantError(t, w, "grep", object{"pattern": "x", "path": "fifo"}, KindWrongType)
	wantError(t, w, "glob", object{"pattern": "../*"}, KindInvalid, "..")
	if got := content(t, filepath.Join(out, "secret.txt")); got != "SECRET\n" {
		t.Errorf("the file outside is now %q", got)
	}

	for path, want := range map[string]string{
		"in.txt": "in.txt", "./in.txt": "in.txt", "d//x.txt": "d/x.txt", "d/../in.txt": "in.txt",
		root + "/in.txt": "in.txt", "ok/x.txt": "d/x.txt", "okfile": "d/x.txt", "d/back": "in.txt", "chain": "in.txt",
		"absolute/x.txt": "d/x.txt", "ok/../in.txt": "in.txt",
	} {
		if got := run[readResult](t, w, "read_file", object{"path": path}); got.Path != want {
			t.Errorf("read %q gave %q, want %q", path, got.Path, want)
		}
	}
	if got := run[listResult](t, w, "list_directory", object{"path": "d/.."}); got.Path != "." {
		t.Errorf("d/.. is %q", got.Path)
	}
}

func TestWriteThroughLinkInside(t *testing.T) {
	w, root := open(t, files{"d/x.txt": "old", "link": "-> d/x.txt", "dir": "-> d", "dangling": "-> d/new.txt"})
	run[writeResult](t, w, "write_file", object{"path": "link", "content": "new"})
	run[writeResult](t, w, "write_file", object{"path": "dir/y.txt", "content": "y"})
	run[writeResult](t, w, "write_file", object{"path": "dangling", "content": "z"})
	for path, want := range map[string]string{"d/x.txt": "new", "d/y.txt": "y", "d/new.txt": "z"} {
		if got := content(t, filepath.Join(root, path)); got != want {
			t.Errorf("%s holds %q, want %q", path, got, want)
		}
	}
	if info, err := os.Lstat(filepath.Join(root, "link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}

// A goroutine swaps a folder for a link that leads out, and a file for a link
// and a FIFO, as fast as it can. No call may ever see or touch what is outside.
func TestSwappedWhileUsed(t *testing.T) {
	w, root := open(t, files{"real/f.txt": "inside\n", "file.txt": "inside\n"})
	out := outsideOf(t, root)
	must(t, os.WriteFile(filepath.Join(out, "f.txt"), []byte("SECRET\n"), 0o644))
	must(t, os.Symlink(out, filepath.Join(root, "evil")))
	must(t, os.Symlink(filepath.Join(out, "f.txt"), filepath.Join(root, "evil.txt")))
	must(t, syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644))

	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		at := func(name string) string { return filepath.Join(root, name) }
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(at("real"), at("parked"))
			_ = os.Rename(at("evil"), at("real"))
			_ = os.Rename(at("real"), at("evil"))
			_ = os.Rename(at("fifo"), at("real"))
			_ = os.Rename(at("real"), at("fifo"))
			_ = os.Rename(at("parked"), at("real"))
			_ = os.Rename(at("file.txt"), at("parked.txt"))
			_ = os.Rename(at("evil.txt"), at("file.txt"))
			_ = os.Rename(at("file.txt"), at("evil.txt"))
			_ = os.Rename(at("fifo"), at("file.txt"))
			_ = os.Rename(at("file.txt"), at("fifo"))
			_ = os.Rename(at("parked.txt"), at("file.txt"))
		}
	})
	calls := []struct {
		tool string
		args object
	}{
		{"read_file", object{"path": "real/f.txt"}}, {"read_file", object{"path": "file.txt"}},
		{"grep", object{"pattern": "SECRET"}}, {"list_directory", object{"path": "real"}},
		{"write_file", object{"path": "real/f.txt", "content": "written\n"}}, {"write_file", object{"path": "real/new.txt", "content": "written\n"}},
		{"edit_file", object{"path": "real/f.txt", "oldText": "SECRET", "newText": "written"}},
		{"move_file", object{"source": "real/new.txt", "destination": "real/moved.txt", "overwrite": true}},
		{"delete_file", object{"path": "real/moved.txt"}},
	}
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	for range rounds {
		for _, c := range calls {
			raw, err := invoke(t.Context(), t, w, c.tool, c.args)
			if strings.Contains(string(raw), "SECRET") || strings.Contains(string(raw), "secret.txt") {
				t.Fatalf("%s %v saw what is outside: %s", c.tool, c.args, raw)
			}
			var e *Error
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("%s: %v is not one of our errors", c.tool, err)
			}
		}
	}
	close(stop)
	swapping.Wait()
	if got := content(t, filepath.Join(out, "f.txt")); got != "SECRET\n" {
		t.Errorf("the file outside is now %q", got)
	}
	if exists(filepath.Join(out, "new.txt")) || exists(filepath.Join(out, "moved.txt")) {
		t.Error("a file was made outside")
	}
}

func TestNotFoundSuggests(t *testing.T) {
	w, _ := open(t, files{"src/main.go": "", "src/util.go": "", "README.md": ""})
	wantError(t, w, "read_file", object{"path": "src/man.go"}, KindNotFound, `"src/man.go"`, `did you mean "src/main.go"?`)
	wantError(t, w, "read_file", object{"path": "readme.md"}, KindNotFound, `"README.md"`)
	wantError(t, w, "read_file", object{"path": "README.txt"}, KindNotFound, `"README.md"`)
	wantError(t, w, "read_file", object{"path": "scr/main.go"}, KindNotFound, `folder "." has no "scr"`, `"src"`)
	wantError(t, w, "file_info", object{"path": "src/zzzzzzzz"}, KindNotFound, `list_directory on "src"`)
}

// FuzzPath holds containment: whatever the path, what it leads to is in the
// root, by the kernel's own word.
func FuzzPath(f *testing.F) {
	root := filepath.Join(f.TempDir(), "root")
	files{
		"a/b/c.txt": "x", "up": "-> ..", "a/abs": "-> /", "a/in": "-> ../a/b", "a/b/out": "-> ../../../outside", "loop": "-> a/../loop",
	}.write(f, root)
	outsideOf(f, root)
	w, err := Open(root, nil)
	must(f, err)
	f.Cleanup(func() { _ = w.Close() })
	for _, s := range []string{
		".", "a/b/c.txt", "../outside/secret.txt", "a/in/../../..", "a/in/out/secret.txt", "up/outside", "a/abs/etc", "/etc",
		"loop", "a/./b//c.txt/", "a/b/../../up/../x", "\x00", root + "/a", root + "/../outside", "a/in/new/x/..", "....", "a\\..\\..", "~/x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		for _, follow := range []bool{true, false} {
			p, err := w.resolve(path, follow, nil)
			if err != nil {
				var e *Error
				if !errors.As(err, &e) {
					t.Fatalf("%q: %v is not one of our errors", path, err)
				}
				continue
			}
			defer p.close()
			real, err := filepath.EvalSymlinks(filepath.Join(w.real, filepath.Dir(p.rel)))
			if len(p.missing) > 0 {
				real, err = w.real, nil
			}
			if err != nil || real != w.real && !strings.HasPrefix(real, w.real+"/") {
				t.Fatalf("%q led to %q (%v)", path, real, err)
			}
			if p.rel != "." && !filepath.IsLocal(p.rel) || strings.Contains(p.base, "/") || p.base == ".." {
				t.Fatalf("%q gave the place %q, %q", path, p.rel, p.base)
			}
			if p.info != nil {
				here, err := os.Lstat(filepath.Join(w.real, p.rel))
				if err != nil || !os.SameFile(here, p.info) {
					t.Fatalf("%q is not what %q names", p.rel, path)
				}
			}
		}
	})
}
