package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProtectedNames(t *testing.T) {
	w, root := open(t, files{
		".git/config": "git", ".git/hooks/": "", "sub/.git/config": "git", "sub/x": "x", ".mcp.json": "{}", ".vscode/tasks.json": "{}",
		"deep/a/.cursor/mcp.json": "{}", ".claude/settings.json": "{}", "free.txt": "free", "freedir/f": "f",
		"alias": "-> .git", "aliasfile": "-> .mcp.json", "sub/link": "-> ../.git/config", "two": "-> alias",
	})
	paths := []string{
		".git/config", ".git/new", ".git/hooks/pre-commit", ".GIT/config", ".Git/new", "sub/.git/config", "sub/.git", "new/.git/config",
		".mcp.json", ".MCP.json", "sub/.mcp.json", ".vscode/tasks.json", "sub/.VSCode/x", "deep/a/.cursor/mcp.json", ".claude/settings.json", ".claude",
		".claude/../.claude/x", "./.git//config", root + "/.git/config", "alias/config", "alias/new", "sub/../alias/config", "two/config",
		".git./config", ".g\u200cit/config", ".v\u017fcode/x", ".git /config", ".mcp.json/", ".git/hooks",
	}
	for _, p := range paths {
		wantError(t, w, "write_file", object{"path": p, "content": "evil"}, KindProtected, "protected")
		wantError(t, w, "edit_file", object{"path": p, "oldText": "git", "newText": "evil"}, KindProtected)
		wantError(t, w, "create_directory", object{"path": p}, KindProtected)
		wantError(t, w, "move_file", object{"source": "free.txt", "destination": p, "overwrite": true}, KindProtected)
		wantError(t, w, "move_file", object{"source": "freedir", "destination": p}, KindProtected)
		wantError(t, w, "move_file", object{"source": p, "destination": "mine"}, KindProtected)
		wantError(t, w, "delete_file", object{"path": p, "recursive": true}, KindProtected)
	}
	for _, p := range []string{"aliasfile", "sub/link"} { // links to what is protected: what they lead to is
		wantError(t, w, "write_file", object{"path": p, "content": "evil"}, KindProtected)
		wantError(t, w, "edit_file", object{"path": p, "oldText": "git", "newText": "evil"}, KindProtected)
	}
	for _, dir := range []string{"sub", "deep", "deep/a"} {
		wantError(t, w, "move_file", object{"source": dir, "destination": "elsewhere"}, KindProtected, "holds")
		wantError(t, w, "delete_file", object{"path": dir, "recursive": true}, KindProtected, "holds")
	}
	if !exists(filepath.Join(root, "sub/x")) {
		t.Error("a refused delete deleted something")
	}
	for path, want := range map[string]string{".git/config": "git", "sub/.git/config": "git", ".mcp.json": "{}", "free.txt": "free", "freedir/f": "f"} {
		if got := content(t, filepath.Join(root, path)); got != want {
			t.Errorf("%s holds %q, want %q", path, got, want)
		}
	}
	// What only looks like one is free, and so is reading.
	for _, p := range []string{".gitignore", ".github/x", "git/config", ".mcp.json.bak", ".git2/x", "a.git/config"} {
		run[writeResult](t, w, "write_file", object{"path": p, "content": "x"})
	}
	run[readResult](t, w, "read_file", object{"path": ".git/config"})
}

// The entry is a link: what it leads to is protected under its own name too.
func TestProtectedNameIsALink(t *testing.T) {
	w, root := open(t, files{"realgit/config": "git", "realgit/hooks/": "", ".git": "-> realgit", "mcp-real.json": "{}", ".mcp.json": "-> mcp-real.json"})
	for _, p := range []string{"realgit/config", "realgit/hooks/pre-commit", ".git/config", "mcp-real.json", "REALGIT/new"} {
		wantError(t, w, "write_file", object{"path": p, "content": "evil"}, KindProtected)
	}
	wantError(t, w, "move_file", object{"source": "realgit", "destination": "old"}, KindProtected)
	wantError(t, w, "delete_file", object{"path": "realgit", "recursive": true}, KindProtected)
	if got := content(t, filepath.Join(root, "realgit/config")); got != "git" {
		t.Errorf("the config is now %q", got)
	}
}

func TestProtectedFiles(t *testing.T) {
	w, root := open(t, files{
		"conf/server.json": "ours", "conf/other.txt": "x", "link": "-> conf", "linkfile": "-> conf/server.json",
		"via/": "", "real/tools.json": "ours", "cfg": "-> real", "free.txt": "free",
	}, func(root string, o *Options) {
		o.Protected = []string{
			filepath.Join(root, "conf/server.json"), filepath.Join(root, "later/audit.log"), // not there yet
			filepath.Join(root, "cfg/tools.json"), filepath.Join(filepath.Dir(root), "elsewhere.json"),
		}
	})
	must(t, os.WriteFile(filepath.Join(filepath.Dir(root), "elsewhere.json"), []byte("ours"), 0o644))
	must(t, os.Link(filepath.Join(filepath.Dir(root), "elsewhere.json"), filepath.Join(root, "hard.json")))
	must(t, os.Link(filepath.Join(root, "conf/server.json"), filepath.Join(root, "via/hard.json")))

	for _, p := range []string{
		"conf/server.json", "CONF/Server.json", "link/server.json", "linkfile", "hard.json", "via/hard.json",
		"later/audit.log", "cfg/tools.json", "real/tools.json", root + "/conf/server.json",
	} {
		wantError(t, w, "write_file", object{"path": p, "content": "evil"}, KindProtected)
		wantError(t, w, "edit_file", object{"path": p, "oldText": "ours", "newText": "evil"}, KindProtected)
		if p != "linkfile" { // the link itself may go: nothing of ours depends on it
			wantError(t, w, "move_file", object{"source": "free.txt", "destination": p, "overwrite": true}, KindProtected)
			wantError(t, w, "move_file", object{"source": p, "destination": "mine"}, KindProtected)
			wantError(t, w, "delete_file", object{"path": p}, KindProtected)
		}
	}
	// Folders that hold one, or would: moving them would change what its path names.
	for _, dir := range []string{"conf", "via", "real"} {
		wantError(t, w, "move_file", object{"source": dir, "destination": "mine"}, KindProtected)
		wantError(t, w, "delete_file", object{"path": dir, "recursive": true}, KindProtected)
	}
	wantError(t, w, "move_file", object{"source": "cfg", "destination": "mine"}, KindProtected)
	wantError(t, w, "delete_file", object{"path": "cfg"}, KindProtected)
	run[writeResult](t, w, "write_file", object{"path": "prepared/audit.log", "content": "evil"})
	wantError(t, w, "move_file", object{"source": "prepared", "destination": "later"}, KindProtected)

	run[writeResult](t, w, "write_file", object{"path": "conf/other.txt", "content": "y"})
	run[moveResult](t, w, "move_file", object{"source": "linkfile", "destination": "linkfile2"})
	for _, p := range []string{"conf/server.json", "real/tools.json", "hard.json"} {
		if got := content(t, filepath.Join(root, p)); got != "ours" {
			t.Errorf("%s holds %q", p, got)
		}
	}
}

// A hard link to a file in .git can't be told by its name. Writing to it
// replaces the link and leaves the file in .git alone.
func TestHardLinkIntoGit(t *testing.T) {
	w, root := open(t, files{".git/config": "git", "x": "x"})
	must(t, os.Link(filepath.Join(root, ".git/config"), filepath.Join(root, "innocent")))
	run[writeResult](t, w, "write_file", object{"path": "innocent", "content": "evil"})
	must(t, os.Remove(filepath.Join(root, "innocent")))
	must(t, os.Link(filepath.Join(root, ".git/config"), filepath.Join(root, "innocent")))
	run[editResult](t, w, "edit_file", object{"path": "innocent", "oldText": "git", "newText": "evil"})
	run[moveResult](t, w, "move_file", object{"source": "x", "destination": "innocent", "overwrite": true})
	if got := content(t, filepath.Join(root, ".git/config")); got != "git" {
		t.Errorf(".git/config holds %q", got)
	}
}

func TestSecretFiles(t *testing.T) {
	w, root := open(t, files{"tokens.json": "TOKEN", "link": "-> tokens.json", "free.txt": "TOKEN"}, func(root string, o *Options) {
		o.Secret = []string{filepath.Join(root, "tokens.json")}
	})
	must(t, os.Link(filepath.Join(root, "tokens.json"), filepath.Join(root, "hard")))
	for _, p := range []string{"tokens.json", "link", "hard"} {
		wantError(t, w, "read_file", object{"path": p}, KindProtected, "secret")
		wantError(t, w, "write_file", object{"path": p, "content": "x"}, KindProtected)
		wantError(t, w, "edit_file", object{"path": p, "oldText": "TOKEN", "newText": "x"}, KindProtected)
	}
	got := run[grepResult](t, w, "grep", object{"pattern": "TOKEN"})
	if len(got.Matches) != 1 || got.Matches[0].Path != "free.txt" || got.UnreadableFiles != 2 {
		t.Errorf("grep gave %+v", got)
	}
}
