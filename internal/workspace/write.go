package workspace

import (
	"context"
	"crypto/rand"
	"io/fs"
	"os"

	"codemode-mcp/internal/policy"
)

var writeSpec = spec{
	name: "write_file", title: "Write a file", role: policy.Editor, destructive: true, idempotent: true,
	description: "Write a whole text file: create it, or replace all it held. The change is atomic, and the mode of an existing file is kept. " +
		"To change a part of a file, use edit_file. At most 16 MiB. " + protectedNote,
}

const protectedNote = "Paths such as .git, .vscode, .cursor, .claude and .mcp.json, and the server's own files, are refused."

type writeArgs struct {
	Path          string `json:"path" jsonschema:"minLength=1" jsonschema_description:"The file, relative to the workspace root."`
	Content       string `json:"content" jsonschema_description:"The whole new content."`
	CreateParents *bool  `json:"createParents,omitempty" jsonschema:"default=true" jsonschema_description:"Create the folders of the path that do not exist."`
}

type writeResult struct {
	Path         string `json:"path" jsonschema_description:"The file, relative to the workspace root."`
	BytesWritten int    `json:"bytesWritten" jsonschema:"minimum=0"`
	Created      bool   `json:"created" jsonschema_description:"Whether the file is new."`
}

// newFileMode is what a new file may be before the umask.
const newFileMode = 0o666

func (w *Workspace) write(ctx context.Context, a writeArgs) (*writeResult, error) {
	if len(a.Content) > maxWriteBytes {
		return nil, fail(KindTooLarge, a.Path, "the content is %d bytes, and %d are allowed", len(a.Content), maxWriteBytes)
	}
	p, unlock, err := w.target(ctx, a.Path, true)
	if err != nil {
		return nil, err
	}
	defer p.close()
	defer unlock()
	if err := p.makeParents(a.CreateParents == nil || *a.CreateParents); err != nil {
		return nil, err
	}
	var old fs.FileInfo
	if p.info != nil {
		// Opening asks the system whether this file may be written: the rename alone would not.
		f, info, err := openFile(p.dir, p.base, p.given, os.O_WRONLY)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		old = info
	}
	if err := p.replace(ctx, []byte(a.Content), old); err != nil {
		return nil, err
	}
	return &writeResult{Path: p.rel, BytesWritten: len(a.Content), Created: old == nil}, nil
}

// target resolves a path that is to be changed, and locks it.
func (w *Workspace) target(ctx context.Context, given string, follow bool) (*place, func(), error) {
	g := w.newGuard()
	p, err := w.resolve(given, follow, g)
	if err != nil {
		return nil, nil, err
	}
	unlock, err := w.locks.lock(ctx, p.rel)
	if err == nil {
		if err = p.refresh(); err == nil {
			if err = g.same(given, p.info); err == nil {
				return p, unlock, nil
			}
		}
		unlock()
	}
	p.close()
	return nil, nil, err
}

// makeParents creates the missing folders of p, each in a handle of the one above.
func (p *place) makeParents(allowed bool) error {
	if len(p.missing) == 0 {
		return nil
	}
	if !allowed {
		return notFound(p)
	}
	for _, name := range p.missing {
		if err := p.dir.Mkdir(name, newFolderMode); err != nil && !os.IsExist(err) {
			return osError(p.given, err)
		}
		info, err := p.dir.Lstat(name)
		if err != nil {
			return osError(p.given, err)
		}
		if !info.IsDir() {
			return fail(KindChanged, p.given, "%q was created during the call and is not a folder", name).hint("try again")
		}
		next, err := openSame(p.dir, name, p.given, info)
		if err != nil {
			return osError(p.given, err)
		}
		p.open = append(p.open, next)
		p.dir = next
	}
	p.missing = nil
	return p.refresh() // another call may have made the same folders, and the file
}

// replace puts data in place of what p names, at once or not at all: a new file
// beside it, on disk, takes its name. Whatever has the name by then is replaced,
// never followed.
func (p *place) replace(ctx context.Context, data []byte, old fs.FileInfo) (err error) {
	mode := fs.FileMode(newFileMode)
	if old != nil {
		mode = 0o600 // nobody reads it before it has the old file's mode
	}
	temp := ".codemode-" + rand.Text() + ".tmp"
	f, err := p.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return osError(p.given, err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = p.dir.Remove(temp)
			err = osError(p.given, err)
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if old != nil {
		keepOwner(f, old)
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := p.dir.Rename(temp, p.base); err != nil {
		return err
	}
	syncFolder(p.dir)
	return nil
}

// syncFolder makes a new name last. Not every file system can; the content is
// on disk either way.
func syncFolder(dir *os.Root) {
	if f, err := dir.Open("."); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
