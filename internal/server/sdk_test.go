package server

import (
	"strings"
	"testing"

	"codemode-mcp/internal/policy"
)

// Declarations are written once for all that they depend on, and what is kept is bounded.
func TestWritten(t *testing.T) {
	var w written
	wrote := 0
	get := func(key writtenKey, text string) string {
		return w.get(key, func() string { wrote++; return text })
	}
	viewer := writtenKey{version: 1, role: policy.Viewer}
	if a, b := get(viewer, "one"), get(viewer, "other"); a != "one" || b != "one" || wrote != 1 {
		t.Errorf("%q, then %q, written %d times", a, b, wrote)
	}
	for _, key := range []writtenKey{
		{version: 1, role: policy.Admin}, {version: 1, role: policy.Viewer, server: "a"},
		{version: 1, role: policy.Viewer, learned: 7}, {version: 2, role: policy.Viewer},
	} {
		if got := get(key, "another"); got != "another" {
			t.Errorf("%+v got the text of another: %q", key, got)
		}
	}
	if len(w.texts) != 1 {
		t.Errorf("%d texts are kept of two catalogs", len(w.texts))
	}
	for n := range 100 {
		get(writtenKey{version: 2, learned: uint64(n)}, strings.Repeat("x", 1<<20))
	}
	if w.size > maxWritten {
		t.Errorf("%d bytes are kept", w.size)
	}
	for n := range 100 {
		get(writtenKey{version: 3, server: strings.Repeat("x", n)}, "")
	}
	if len(w.texts) > maxWritten>>20 {
		t.Errorf("%d texts are kept, of servers that are none", len(w.texts))
	}
}
