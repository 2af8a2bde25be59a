package workspace

import (
	"context"
	"os"

	"codemode-mcp/internal/policy"
)

var deleteSpec = spec{
	name: "delete_file", title: "Delete a file or folder", role: policy.Admin, destructive: true,
	description: "Delete a file or a symbolic link (not what it leads to), or with recursive a folder and all it holds. There is no way back. " +
		"A folder with something protected in it is refused as a whole. " + protectedNote,
}

type deleteArgs struct {
	Path      string `json:"path" jsonschema:"minLength=1" jsonschema_description:"What to delete, relative to the workspace root."`
	Recursive bool   `json:"recursive,omitempty" jsonschema:"default=false" jsonschema_description:"Needed to delete a folder."`
}

type deleteResult struct {
	Path    string `json:"path" jsonschema_description:"What was deleted, relative to the workspace root."`
	Deleted int    `json:"deleted" jsonschema:"minimum=1" jsonschema_description:"How many files and folders are gone."`
}

func (w *Workspace) remove(ctx context.Context, a deleteArgs) (*deleteResult, error) {
	p, unlock, err := w.target(ctx, a.Path, false)
	if err != nil {
		return nil, err
	}
	defer p.close()
	defer unlock()
	switch {
	case p.info == nil:
		return nil, notFound(p)
	case p.base == ".":
		return nil, fail(KindInvalid, p.given, "the workspace root can't be deleted")
	case p.info.IsDir() && !a.Recursive:
		return nil, fail(KindWrongType, p.given, "it is a folder").hint("set recursive to delete it and all it holds")
	}
	g := w.newGuard()
	if err := g.unprotected(ctx, p); err != nil { // all of it is checked before anything goes
		return nil, err
	}
	res := &deleteResult{Path: p.rel}
	t := &tree{given: p.given, guard: g, leave: func(dir *os.Root, name string) error {
		err := dir.Remove(name)
		if err == nil {
			res.Deleted++
		}
		return err
	}}
	if err := t.entry(ctx, p.dir, p.base, p.info, 0); err != nil {
		err = osError(p.given, err)
		if e, ok := err.(*Error); ok && res.Deleted > 0 {
			e.Message += "; a part was deleted already"
		}
		return nil, err
	}
	return res, nil
}
