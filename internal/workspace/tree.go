package workspace

import (
	"context"
	"io"
	"io/fs"
	"os"
)

// tree goes through one folder and all below it, handle by handle. Links are
// entries like any other.
type tree struct {
	given string
	guard *guard
	// leave is called for every entry, those of a folder before the folder.
	leave func(dir *os.Root, name string) error
}

// entry goes through name in dir, at the given depth.
func (t *tree) entry(ctx context.Context, dir *os.Root, name string, info fs.FileInfo, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.guard.name(t.given, name) != nil || t.guard.same(t.given, info) != nil {
		return fail(KindProtected, t.given, "the folder holds %q, which is protected", name).hint("work on what else it holds, one by one")
	}
	if info.IsDir() {
		if depth > maxDepth {
			return fail(KindTooLarge, t.given, "the folder is nested more than %d deep", maxDepth)
		}
		sub, err := openSame(dir, name, t.given, info)
		if err != nil {
			return err
		}
		defer sub.Close()
		f, err := sub.Open(".")
		if err != nil {
			return err
		}
		names, err := f.Readdirnames(maxFolderEntries)
		_ = f.Close()
		if err != nil && err != io.EOF {
			return err
		}
		if len(names) == maxFolderEntries {
			return fail(KindTooLarge, t.given, "the folder %q holds too many entries", name)
		}
		for _, n := range names {
			i, err := sub.Lstat(n)
			if err != nil {
				return err
			}
			if err := t.entry(ctx, sub, n, i, depth+1); err != nil {
				return err
			}
		}
	}
	return t.leave(dir, name)
}

// unprotected refuses a place that is a folder with something protected in it.
func (g *guard) unprotected(ctx context.Context, p *place) error {
	if err := g.above(p); err != nil {
		return err
	}
	t := &tree{given: p.given, guard: g, leave: func(*os.Root, string) error { return nil }}
	return osError(p.given, t.entry(ctx, p.dir, p.base, p.info, 0))
}
