package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"codemode-mcp/internal/policy"
)

var moveSpec = spec{
	name: "move_file", title: "Move or rename", role: policy.Editor, destructive: true,
	description: "Move or rename a file, a folder or a symbolic link (itself, not what it leads to). destination is the full new path, not the folder to move into. " +
		"An existing file is replaced only with overwrite; an existing folder never. Missing folders of the destination are created. " + protectedNote,
}

type moveArgs struct {
	Source      string `json:"source" jsonschema:"minLength=1" jsonschema_description:"What to move, relative to the workspace root."`
	Destination string `json:"destination" jsonschema:"minLength=1" jsonschema_description:"The new path, relative to the workspace root."`
	Overwrite   bool   `json:"overwrite,omitempty" jsonschema:"default=false" jsonschema_description:"Replace the file that is there."`
}

type moveResult struct {
	Source      string `json:"source" jsonschema_description:"The old path, relative to the workspace root."`
	Destination string `json:"destination" jsonschema_description:"The new path, relative to the workspace root."`
	Overwritten bool   `json:"overwritten" jsonschema_description:"Whether a file was replaced."`
}

// errTaken says that the destination of a rename exists.
var errTaken = errors.New("the destination exists")

func (w *Workspace) move(ctx context.Context, a moveArgs) (*moveResult, error) {
	g := w.newGuard()
	src, err := w.existing(a.Source, false, g)
	if err != nil {
		return nil, err
	}
	defer src.close()
	dst, err := w.resolve(a.Destination, false, g)
	if err != nil {
		return nil, err
	}
	defer dst.close()
	unlock, err := w.locks.lock(ctx, src.rel, dst.rel)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := cmp.Or(src.refresh(), dst.refresh()); err != nil {
		return nil, err
	}
	if err := movable(src, dst, a.Overwrite); err != nil {
		return nil, err
	}
	for _, p := range []*place{src, dst} {
		if p.info == nil { // nothing there yet: only the name can be above something protected
			if err := g.above(p); err != nil {
				return nil, err
			}
		} else if err := g.unprotected(ctx, p); err != nil {
			return nil, err
		}
	}
	if err := dst.makeParents(true); err != nil {
		return nil, err
	}
	replaces := dst.info != nil
	if err := rename(src, dst, replaces); err != nil {
		switch {
		case errors.Is(err, errTaken):
			return nil, taken(dst)
		case errors.Is(err, syscall.EXDEV):
			return nil, fail(KindIO, dst.given, "source and destination are on different file systems").hint("copy with read_file and write_file, then delete the source")
		}
		return nil, osError(dst.given, err)
	}
	syncFolder(dst.dir)
	syncFolder(src.dir)
	return &moveResult{Source: src.rel, Destination: dst.rel, Overwritten: replaces && !os.SameFile(src.info, dst.info)}, nil
}

func taken(dst *place) error {
	return fail(KindExists, dst.given, "the destination exists").hint("set overwrite to replace it")
}

// movable refuses what makes no sense to move, or would lose something.
func movable(src, dst *place, overwrite bool) error {
	switch {
	case src.info == nil:
		return notFound(src)
	case src.base == "." || dst.base == ".":
		return fail(KindInvalid, ".", "the workspace root can't be moved or replaced")
	case src.rel == dst.rel:
		return fail(KindInvalid, dst.given, "source and destination are the same")
	case strings.HasPrefix(dst.rel, src.rel+"/"):
		return fail(KindInvalid, dst.given, "a folder can't be moved into itself")
	case dst.info == nil:
		return nil
	case os.SameFile(src.info, dst.info):
		if strings.EqualFold(src.rel, dst.rel) {
			return nil // one file, on a file system where case does not count: give it its new case
		}
		return fail(KindExists, dst.given, "source and destination are two names of one file").hint("delete the one you do not need")
	case dst.info.IsDir():
		return fail(KindExists, dst.given, "the destination is a folder").
			hint("give the full new path, such as %q", dst.rel+"/"+src.base)
	case !overwrite:
		return taken(dst)
	case src.info.IsDir():
		return fail(KindExists, dst.given, "a folder can't replace a %s", typeName(dst.info.Mode()))
	case dst.info.Mode()&(fs.ModeType&^fs.ModeSymlink) != 0:
		return notAFile(dst.given, dst.info)
	}
	return nil
}
