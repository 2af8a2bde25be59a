package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// errStop ends a walk early, without being a failure.
var errStop = errors.New("stop")

// walker goes through a folder in the byte order of full paths, so that what
// comes first is the same however many search at once. Links are not followed.
type walker struct {
	w              *Workspace
	includeIgnored bool
	enter          func(rel string) bool                   // nil: every folder
	visit          func(rel string, typ fs.FileMode) error // every entry but folders

	ignored    int // entries that .gitignore took out
	unreadable int // folders that could not be read
}

// walk visits what lies in the folder start. Rules of the folders above hold,
// but start itself is entered even when they ignore it: it was asked for.
func (k *walker) walk(ctx context.Context, start string) error {
	var rules *ignoreRules
	if !k.includeIgnored && start != "." {
		rules = loadIgnore(k.w.root, nil, ".")
		for i, c := range start {
			if c == '/' {
				rules = loadIgnore(k.w.root, rules, start[:i])
			}
		}
	}
	err := k.folder(ctx, start, rules, 0)
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

func (k *walker) folder(ctx context.Context, rel string, rules *ignoreRules, depth int) error {
	entries, err := k.read(ctx, rel)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		k.unreadable++ // gone, or not ours to read: the rest still counts
		return nil
	}
	if !k.includeIgnored && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		rules = loadIgnore(k.w.root, rules, rel)
	}
	for _, e := range entries {
		path := e.Name()
		if rel != "." {
			path = rel + "/" + path
		}
		if !k.includeIgnored {
			if e.Name() == ".git" {
				continue
			}
			if rules.ignored(path, e.IsDir()) {
				k.ignored++
				continue
			}
		}
		if !e.IsDir() {
			if err := k.visit(path, e.Type()); err != nil {
				return err
			}
			continue
		}
		if k.enter != nil && !k.enter(path) {
			continue
		}
		if depth == maxDepth {
			k.unreadable++
			continue
		}
		if err := k.folder(ctx, path, rules, depth+1); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// read gives the sorted entries of a folder, while holding a token.
func (k *walker) read(ctx context.Context, rel string) ([]fs.DirEntry, error) {
	if err := k.w.acquire(ctx); err != nil {
		return nil, err
	}
	defer k.w.release()
	f, err := k.w.root.OpenFile(rel, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(maxFolderEntries)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(entries) == maxFolderEntries {
		return nil, fail(KindTooLarge, rel, "the folder holds too many entries")
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(sortKey(a), sortKey(b)) })
	return entries, nil
}

// sortKey makes the order of one folder the order of full paths: what lies in
// "a" comes after "a-b", since '/' comes after '-'.
func sortKey(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}

// acquire waits for the right to compute. All searches of a workspace share the
// tokens, so that fifty at once leave the server its processors.
func (w *Workspace) acquire(ctx context.Context) error {
	select {
	case w.tokens <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *Workspace) release() { <-w.tokens }
