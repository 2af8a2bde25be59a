package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// files is a folder in a literal: a name that ends in / is a folder, a content
// that starts with "-> " a symbolic link.
type files map[string]string

func (f files) write(t testing.TB, root string) {
	t.Helper()
	for name, content := range f {
		path := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		target, isLink := strings.CutPrefix(content, "-> ")
		switch {
		case strings.HasSuffix(name, "/"):
			must(t, os.MkdirAll(path, 0o755))
		case isLink:
			must(t, os.Symlink(target, path))
		default:
			must(t, os.WriteFile(path, []byte(content), 0o644))
		}
	}
}

// open makes a writable workspace with the given files.
func open(t testing.TB, f files, change ...func(root string, o *Options)) (*Workspace, string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "root")
	must(t, os.Mkdir(root, 0o755))
	f.write(t, root)
	o := &Options{Writable: true}
	for _, c := range change {
		c(root, o)
	}
	w, err := Open(root, o)
	must(t, err)
	t.Cleanup(func() { must(t, w.Close()) })
	return w, root
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type object = map[string]any

// invoke runs a tool through its Invoke, as the dispatcher does.
func invoke(ctx context.Context, t testing.TB, w *Workspace, tool string, args any) (json.RawMessage, error) {
	t.Helper()
	raw, err := json.Marshal(args)
	must(t, err)
	for _, tl := range w.Tools() {
		if tl.Name != tool {
			continue
		}
		res, err := tl.Invoke(ctx, raw)
		if err != nil {
			return nil, err
		}
		if len(res.Content) != 1 || res.Content[0].Text != string(res.Structured) || res.IsError {
			t.Fatalf("%s: content and structured result differ: %+v", tool, res)
		}
		return res.Structured, nil
	}
	t.Fatalf("no tool %q", tool)
	return nil, nil
}

// run is invoke into a result type, for calls that must work.
func run[Out any](t testing.TB, w *Workspace, tool string, args any) *Out {
	t.Helper()
	raw, err := invoke(context.Background(), t, w, tool, args)
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	out := new(Out)
	must(t, json.Unmarshal(raw, out))
	return out
}

// wantError runs a tool that must fail with the kind and the words, fast enough
// not to be hanging in a FIFO, without naming the host's path.
func wantError(t testing.TB, w *Workspace, tool string, args any, kind Kind, words ...string) *Error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := invoke(ctx, t, w, tool, args)
		done <- err
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		t.Fatalf("%s %v hangs", tool, args)
	}
	var e *Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Fatalf("%s %v: error %v, want kind %s", tool, args, err, kind)
	}
	for _, word := range words {
		if !strings.Contains(e.Error(), word) {
			t.Errorf("%s %v: error %q does not say %q", tool, args, e, word)
		}
	}
	if shown := strings.ReplaceAll(e.Error(), e.Path, ""); strings.Contains(shown, w.real) {
		t.Errorf("%s %v: error %q names the host's path", tool, args, e)
	}
	return e
}

func content(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
