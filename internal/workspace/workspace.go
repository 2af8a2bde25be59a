// Package workspace gives the built-in tools over one root folder: listing,
// searching, reading and, when asked for, changing files.
//
// It owns the containment of every path in the root, the list of names no tool
// may write, the .gitignore rules, and the schemas of its tools. Nothing leaves
// the root: every operation goes through an [os.Root] or a handle opened by one.
// Of this module it imports only catalog, near and policy; it must not import the MCP
// SDK, the sandbox or the dispatcher.
package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"codemode-mcp/internal/catalog"
)

// Options says how a workspace is opened. The zero value is a read-only
// workspace with no files of ours in it.
type Options struct {
	// Writable adds the tools that change files. Default: read-only.
	Writable bool
	// Protected lists absolute paths no tool may write, move or delete, such as
	// our config, audit and catalog files. They need not exist, nor lie in the
	// root: an alias inside the root is refused too.
	Protected []string
	// Secret lists absolute paths no tool may read either, such as token files.
	// They are protected as well.
	Secret []string
	// Home is the user's home folder. It, and every folder that holds it, is
	// refused as a root. Empty: no such check.
	Home string
}

// Workspace is one open root folder. It is safe for concurrent use.
type Workspace struct {
	given  string // absolute, as the caller named it
	real   string // absolute, without symbolic links
	root   *os.Root
	opts   Options
	tools  []catalog.Tool
	locks  pathLocks
	tokens chan struct{} // held while a search or a walk computes
}

// Open opens the folder root. The error is an [*Error] of kind
// [KindRootRefused] when the folder is one that no workspace may have.
func Open(root string, opts *Options) (*Workspace, error) {
	var o Options
	if opts != nil {
		o = *opts
		opts = nil // the copy is what counts from here on
	}
	o.Protected = slices.Concat(o.Protected, o.Secret)
	for _, p := range o.Protected {
		if !filepath.IsAbs(p) {
			return nil, fail(KindInvalid, p, "a protected path must be absolute")
		}
	}
	if root == "" {
		return nil, fail(KindInvalid, "", "the workspace folder is empty").hint("name the folder to open")
	}
	given, err := filepath.Abs(root)
	if err != nil {
		return nil, osError(root, err)
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, osError(root, err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, osError(root, err)
	}
	if !info.IsDir() {
		return nil, fail(KindWrongType, root, "the workspace must be a folder")
	}
	if err := refuseRoot(root, real, info, o.Home); err != nil {
		return nil, err
	}
	r, err := os.OpenRoot(real)
	if err != nil {
		return nil, osError(root, err)
	}
	w := &Workspace{
		given: given, real: real, root: r, opts: o,
		tokens: make(chan struct{}, max(minTokens, runtime.GOMAXPROCS(0)-1)),
	}
	if w.tools, err = w.buildTools(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return w, nil
}

// refuseRoot refuses the file system's root and every folder that holds the
// home folder: a desktop client starts servers in either.
func refuseRoot(root, real string, info fs.FileInfo, home string) error {
	const hint = "name a project folder"
	if filepath.Dir(real) == real {
		return fail(KindRootRefused, root, "the root of the file system can't be a workspace").hint(hint)
	}
	if home == "" {
		return nil
	}
	at, err := filepath.EvalSymlinks(home)
	if err != nil {
		at = filepath.Clean(home)
	}
	for first := true; ; first = false {
		if i, err := os.Stat(at); err == nil && os.SameFile(i, info) {
			if first {
				return fail(KindRootRefused, root, "the home folder can't be a workspace").hint(hint)
			}
			return fail(KindRootRefused, root, "a folder that holds the home folder can't be a workspace").hint(hint)
		}
		up := filepath.Dir(at)
		if up == at {
			return nil
		}
		at = up
	}
}

// Tools gives the tools, readers first. The writing ones are absent from a
// read-only workspace.
func (w *Workspace) Tools() []catalog.Tool { return slices.Clone(w.tools) }

// Root gives the absolute path of the root folder, as the caller named it.
func (w *Workspace) Root() string { return w.given }

// Close gives up the root folder. Calls that still run fail.
func (w *Workspace) Close() error { return w.root.Close() }
