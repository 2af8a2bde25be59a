package worker

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The snapshot calls V8 by the names and the shapes of one version: an update of
// v8go that changes them fails here. Everything that a context of it holds at the
// start is what a context that ran the prelude holds.
func TestSnapshot(t *testing.T) {
	if !canSnapshot {
		t.Skip("no snapshot here")
	}
	w := harness(t)
	r, err := w.newRunner()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { w.current.clear(); r.close() }()
	if r.code != nil {
		t.Fatal("the prelude was compiled: the context is not out of the snapshot")
	}
	if n := r.iso.GetHeapStatistics().NumberOfNativeContexts; n != 1 {
		t.Errorf("%d contexts, want 1", n)
	}
	r.script.begun = true // URL is loaded when a script asks for it
	for source, want := range map[string]string{
		"typeof tools + typeof finish + typeof URL":                                                                       "objectfunctionfunction",
		"typeof eval + typeof Function + typeof WebAssembly + typeof SharedArrayBuffer":                                   "undefinedundefinedundefinedundefined",
		"String(Object.keys(globalThis)) + Object.getOwnPropertyNames(globalThis).filter((n) => n.includes('codemode:'))": "",
	} {
		v, err := r.ctx.RunScript(source, "test")
		if err != nil || v.String() != want {
			t.Errorf("%s is %v, %v; want %s", source, v, err, want)
		}
	}
}

// A second context has a host, a state and names of its own.
func TestSnapshotIsFresh(t *testing.T) {
	w := harness(t)
	for range 3 {
		r, err := w.newRunner()
		if err != nil {
			t.Fatal(err)
		}
		v, err := r.ctx.RunScript("const seen = globalThis.mark + String(Array.prototype.mark); globalThis.mark = Array.prototype.mark = 1; seen", "test")
		if err != nil || v.String() != "undefinedundefined" {
			t.Errorf("%v, %v", v, err)
		}
		w.current.clear()
		r.close()
	}
}

func TestImageFile(t *testing.T) {
	img := &image{snapshot: bytes.Repeat([]byte{1}, 100)}
	fd, err := os.Create(filepath.Join(t.TempDir(), "image"))
	if err != nil {
		t.Fatal(err)
	}
	defer fd.Close()
	_ = img.write(fd) // a file on disk takes no seal
	text, err := os.ReadFile(fd.Name())
	if err != nil {
		t.Fatal(err)
	}
	got, err := readImage(text)
	if err != nil || !bytes.Equal(got.snapshot, img.snapshot) {
		t.Fatalf("%v, %v", got, err)
	}
	for n := range imageAlign + 1 { // a file that was cut in V8's part is V8's to refuse
		if _, err := readImage(text[:n]); err == nil {
			t.Errorf("an image of %d bytes of %d was taken", n, len(text))
		}
	}
	for _, bad := range []string{"", imageMagic} {
		if _, err := readImage([]byte(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
