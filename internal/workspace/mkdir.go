package workspace

import (
	"context"

	"codemode-mcp/internal/policy"
)

var mkdirSpec = spec{
	name: "create_directory", title: "Create a folder", role: policy.Editor, idempotent: true,
	description: "Create a folder, and the folders above it that are missing. A folder that exists already is fine. " +
		"write_file creates the folders it needs, so this is only for empty ones. " + protectedNote,
}

type mkdirArgs struct {
	Path string `json:"path" jsonschema:"minLength=1" jsonschema_description:"The folder, relative to the workspace root."`
}

type mkdirResult struct {
	Path    string `json:"path" jsonschema_description:"The folder, relative to the workspace root."`
	Created bool   `json:"created" jsonschema_description:"False when it existed already."`
}

// newFolderMode is what a new folder may be before the umask.
const newFolderMode = 0o777

func (w *Workspace) mkdir(ctx context.Context, a mkdirArgs) (*mkdirResult, error) {
	p, unlock, err := w.target(ctx, a.Path, true)
	if err != nil {
		return nil, err
	}
	defer p.close()
	defer unlock()
	if p.info != nil {
		if !p.info.IsDir() {
			return nil, fail(KindExists, p.given, "it exists and is not a folder but a %s", typeName(p.info.Mode()))
		}
		return &mkdirResult{Path: p.rel}, nil
	}
	p.missing = append(p.missing, p.base) // the folder itself, like those above it
	if err := p.makeParents(true); err != nil {
		return nil, err
	}
	return &mkdirResult{Path: p.rel, Created: true}, nil
}
