package workspace

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"codemode-mcp/internal/policy"
)

var listSpec = spec{
	name: "list_directory", title: "List a folder", role: policy.Viewer, readOnly: true, idempotent: true,
	description: "List the entries of one folder of the workspace, sorted by name, with type and size. " +
		"Not recursive: use glob to find files by name at any depth. At most 1000 entries; truncated says that there are more.",
}

type listArgs struct {
	Path string `json:"path,omitempty" jsonschema:"default=." jsonschema_description:"The folder, relative to the workspace root."`
}

type listResult struct {
	Path      string      `json:"path" jsonschema_description:"The folder, relative to the workspace root."`
	Entries   []listEntry `json:"entries" jsonschema_description:"The entries, sorted by name."`
	Total     int         `json:"total" jsonschema:"minimum=0" jsonschema_description:"How many entries the folder has."`
	Truncated bool        `json:"truncated" jsonschema_description:"Whether entries were left out."`
}

type listEntry struct {
	Name string `json:"name"`
	Type string `json:"type" jsonschema:"enum=file,enum=directory,enum=symlink,enum=other"`
	Size *int64 `json:"size,omitempty" jsonschema:"minimum=0" jsonschema_description:"Bytes. Files only."`
}

func typeName(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "file"
	case m.IsDir():
		return "directory"
	case m&fs.ModeSymlink != 0:
		return "symlink"
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// schemaType is typeName in the words the schemas allow.
func schemaType(m fs.FileMode) string {
	switch name := typeName(m); name {
	case "file", "directory", "symlink":
		return name
	}
	return "other"
}

func (w *Workspace) list(ctx context.Context, a listArgs) (*listResult, error) {
	p, err := w.existing(cmp.Or(a.Path, "."), true, nil)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if !p.info.IsDir() {
		return nil, fail(KindWrongType, p.given, "it is not a folder but a %s", typeName(p.info.Mode())).hint("file_info or read_file show it")
	}
	dir, err := openSame(p.dir, p.base, p.given, p.info)
	if err != nil {
		return nil, osError(p.given, err)
	}
	defer dir.Close()
	names, total, err := firstNames(ctx, dir, maxListEntries)
	if err != nil {
		return nil, osError(p.given, err)
	}
	res := &listResult{Path: p.rel, Entries: []listEntry{}, Total: total, Truncated: total > len(names)}
	for _, name := range names {
		info, err := dir.Lstat(name)
		if err != nil {
			continue // gone since it was listed
		}
		e := listEntry{Name: name, Type: schemaType(info.Mode())}
		if info.Mode().IsRegular() {
			size := info.Size()
			e.Size = &size
		}
		res.Entries = append(res.Entries, e)
	}
	return res, nil
}

// firstNames gives the first n names of a folder in order, and how many it has.
// It never holds more than twice n and a batch.
func firstNames(ctx context.Context, dir *os.Root, n int) (names []string, total int, err error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	const batch = 1024
	for {
		more, err := f.Readdirnames(batch)
		total += len(more)
		names = append(names, more...)
		done := errors.Is(err, io.EOF)
		if err != nil && !done {
			return nil, 0, err
		}
		if len(names) > 2*n || done {
			slices.SortFunc(names, strings.Compare)
			names = names[:min(len(names), n)]
		}
		if done {
			return names, total, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
	}
}
