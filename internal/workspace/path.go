package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// place is where a path leads: a name in a folder held open. What happens at it
// happens relative to that handle, so swapping a link on the way changes nothing.
type place struct {
	given   string      // the path as the caller gave it
	rel     string      // slash path from the root, without links; "." is the root
	dir     *os.Root    // the folder that holds base
	base    string      // the name in dir; "." only for the root itself
	missing []string    // folders between dir and base that do not exist
	info    fs.FileInfo // of base, not followed; nil when it does not exist
	open    []*os.Root  // every handle held, the root not among them
}

func (p *place) close() {
	for _, r := range p.open {
		_ = r.Close() // opened for reading names: nothing to lose
	}
	p.open = nil
}

// refresh looks at base again, after a lock was won.
func (p *place) refresh() error {
	if len(p.missing) > 0 {
		return nil
	}
	info, err := p.dir.Lstat(p.base)
	if err != nil && !os.IsNotExist(err) {
		return osError(p.given, err)
	}
	p.info = info
	if err != nil {
		p.info = nil
	}
	return nil
}

// relative checks the form of a path and gives its parts below the root.
func (w *Workspace) relative(given string) ([]string, error) {
	switch {
	case given == "":
		return nil, fail(KindInvalid, given, "the path is empty").hint(`"." is the workspace root`)
	case len(given) > maxPathBytes:
		return nil, fail(KindInvalid, given[:64]+"...", "the path is longer than %d bytes", maxPathBytes)
	case strings.IndexByte(given, 0) >= 0:
		return nil, fail(KindInvalid, given, "the path holds a NUL byte")
	}
	rel, ok := w.inside(given)
	if !ok {
		return nil, outside(given)
	}
	return parts(rel), nil
}

// inside makes an absolute path relative to the root; others come back as they are.
func (w *Workspace) inside(path string) (string, bool) {
	if !filepath.IsAbs(path) {
		return path, true
	}
	for _, root := range []string{w.given, w.real} {
		if rest, ok := strings.CutPrefix(path, root); ok && (rest == "" || rest[0] == '/') {
			return "." + rest, true
		}
	}
	return "", false
}

// parts splits a path; empty parts and dots mean nothing.
func parts(path string) []string {
	return slices.DeleteFunc(strings.Split(filepath.ToSlash(path), "/"), func(s string) bool { return s == "" || s == "." })
}

// resolver walks one path, a folder at a time, each opened from the one before.
type resolver struct {
	w      *Workspace
	given  string
	guard  *guard // nil for reading
	stack  []*os.Root
	names  []string // of stack
	budget int      // links still to follow
}

// resolve finds where a path leads. Links on the way are followed, and the last
// one too when follow is set, as long as they stay in the root. With a guard,
// no protected name may be on the way, as given or behind a link. A missing end
// is no error here: see [place.missing].
func (w *Workspace) resolve(given string, follow bool, g *guard) (*place, error) {
	todo, err := w.relative(given)
	if err != nil {
		return nil, err
	}
	r := &resolver{w: w, given: given, guard: g, budget: maxLinks}
	p, err := r.walk(todo, follow)
	if err == nil {
		p.open = r.stack
		if g != nil {
			err = g.check(p)
		}
	}
	if err != nil {
		(&place{open: r.stack}).close()
		return nil, osError(given, err)
	}
	return p, nil
}

// existing is resolve for a path that must be there.
func (w *Workspace) existing(given string, follow bool, g *guard) (*place, error) {
	p, err := w.resolve(given, follow, g)
	if err != nil {
		return nil, err
	}
	if p.info == nil {
		defer p.close()
		return nil, notFound(p)
	}
	return p, nil
}

func (r *resolver) cur() *os.Root {
	if len(r.stack) == 0 {
		return r.w.root
	}
	return r.stack[len(r.stack)-1]
}

func (r *resolver) pop() {
	_ = r.cur().Close()
	r.stack = r.stack[:len(r.stack)-1]
	r.names = r.names[:len(r.names)-1]
}

func (r *resolver) walk(todo []string, follow bool) (*place, error) {
	for len(todo) > 0 {
		name, rest := todo[0], todo[1:]
		if name == ".." {
			if len(r.stack) == 0 {
				return nil, outside(r.given)
			}
			r.pop()
			todo = rest
			continue
		}
		if err := r.guard.name(r.given, name); err != nil {
			return nil, err
		}
		info, err := r.cur().Lstat(name)
		if os.IsNotExist(err) {
			return r.absent(todo)
		}
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 && (follow || len(rest) > 0) {
			if todo, err = r.link(name, rest); err != nil {
				return nil, err
			}
			continue
		}
		if len(rest) == 0 {
			return r.at(name, nil, info), nil
		}
		if !info.IsDir() {
			return nil, fail(KindWrongType, r.given, "%q is not a folder", strings.Join(append(r.names, name), "/"))
		}
		if err := r.guard.same(r.given, info); err != nil {
			return nil, err
		}
		next, err := openSame(r.cur(), name, r.given, info)
		if err != nil {
			return nil, err
		}
		r.stack, r.names = append(r.stack, next), append(r.names, name)
		todo = rest
	}
	if len(r.stack) == 0 {
		info, err := r.w.root.Lstat(".")
		return &place{given: r.given, rel: ".", dir: r.w.root, base: ".", info: info}, err
	}
	name := r.names[len(r.names)-1] // the path ended in "..": name the folder from its parent
	r.pop()
	info, err := r.cur().Lstat(name)
	return r.at(name, nil, info), err
}

// link replaces a symbolic link by what it says.
func (r *resolver) link(name string, rest []string) ([]string, error) {
	if r.budget--; r.budget < 0 {
		return nil, fail(KindInvalid, r.given, "more than %d symbolic links follow each other", maxLinks)
	}
	target, err := r.cur().Readlink(name)
	if err != nil {
		return nil, err
	}
	rel, ok := r.w.inside(target)
	if !ok {
		return nil, outside(r.given)
	}
	if filepath.IsAbs(target) {
		for len(r.stack) > 0 {
			r.pop()
		}
	}
	return slices.Concat(parts(rel), rest), nil
}

// absent ends a walk at a name that does not exist.
func (r *resolver) absent(todo []string) (*place, error) {
	for _, name := range todo {
		if name == ".." {
			return nil, notFound(r.at(todo[0], nil, nil))
		}
		if err := r.guard.name(r.given, name); err != nil {
			return nil, err
		}
	}
	last := len(todo) - 1
	return r.at(todo[last], todo[:last], nil), nil
}

func (r *resolver) at(base string, missing []string, info fs.FileInfo) *place {
	rel := strings.Join(slices.Concat(r.names, missing, []string{base}), "/")
	return &place{given: r.given, rel: rel, dir: r.cur(), base: base, missing: missing, info: info}
}

// openSame opens the folder name of dir, which info was just seen to be. The
// "/." makes os.Root open it as a folder, so a FIFO put in its place can't hang.
func openSame(dir *os.Root, name, given string, info fs.FileInfo) (*os.Root, error) {
	next, err := dir.OpenRoot(name + "/.")
	if err != nil {
		return nil, err
	}
	now, err := next.Lstat(".")
	if err == nil && !os.SameFile(info, now) {
		err = fail(KindChanged, given, "the folder was replaced during the call").hint("try again")
	}
	if err != nil {
		_ = next.Close()
		return nil, err
	}
	return next, nil
}

// openFile opens the regular file name of dir. It never blocks, and what it
// opened is what it saw: a link or a FIFO put in its place is refused.
func openFile(dir *os.Root, name, given string, flag int) (*os.File, fs.FileInfo, error) {
	seen, err := dir.Lstat(name)
	if err != nil {
		return nil, nil, osError(given, err)
	}
	if !seen.Mode().IsRegular() {
		return nil, nil, notAFile(given, seen)
	}
	f, err := dir.OpenFile(name, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, osError(given, err)
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || !os.SameFile(seen, info)) {
		err = fail(KindChanged, given, "the file was replaced during the call").hint("try again")
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, osError(given, err)
	}
	return f, info, nil
}

func notAFile(given string, info fs.FileInfo) error {
	if info.IsDir() {
		return fail(KindWrongType, given, "it is a folder, not a file").hint("list_directory shows what it holds")
	}
	return fail(KindWrongType, given, "it is not a regular file but a %s", typeName(info.Mode()))
}
