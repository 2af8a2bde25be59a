package workspace

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"codemode-mcp/internal/policy"
)

var infoSpec = spec{
	name: "file_info", title: "Look at a path", role: policy.Viewer, readOnly: true, idempotent: true,
	description: "Give type, size, mode and time of change of one file, folder or symbolic link, without reading it. " +
		"A symbolic link is described itself; target says where it leads.",
}

type infoArgs struct {
	Path string `json:"path" jsonschema:"minLength=1" jsonschema_description:"The path, relative to the workspace root."`
}

type infoResult struct {
	Path     string `json:"path" jsonschema_description:"The path, relative to the workspace root, links on the way resolved."`
	Type     string `json:"type" jsonschema:"enum=file,enum=directory,enum=symlink,enum=other"`
	Size     int64  `json:"size" jsonschema:"minimum=0" jsonschema_description:"Bytes."`
	Mode     string `json:"mode" jsonschema_description:"Permissions, such as -rw-r--r--."`
	Modified string `json:"modified" jsonschema:"format=date-time" jsonschema_description:"When the content last changed."`
	Target   string `json:"target,omitempty" jsonschema_description:"Symbolic links only: where the link ends, relative to the workspace root."`
	Link     string `json:"link,omitempty" jsonschema:"enum=inside,enum=outside,enum=broken" jsonschema_description:"Symbolic links only: whether the link ends inside the workspace, outside (where no tool goes), or nowhere."`
}

func (w *Workspace) stat(_ context.Context, a infoArgs) (*infoResult, error) {
	p, err := w.existing(a.Path, false, nil)
	if err != nil {
		return nil, err
	}
	defer p.close()
	res := &infoResult{
		Path: p.rel, Type: schemaType(p.info.Mode()), Size: p.info.Size(),
		Mode: p.info.Mode().String(), Modified: p.info.ModTime().UTC().Format(time.RFC3339),
	}
	if p.info.Mode()&fs.ModeSymlink == 0 {
		return res, nil
	}
	var e *Error
	end, err := w.resolve(a.Path, true, nil)
	switch {
	case err == nil && end.info != nil:
		res.Target, res.Link = end.rel, "inside"
	case errors.As(err, &e) && e.Kind == KindOutside:
		res.Link = "outside"
	default:
		res.Link = "broken"
	}
	if err == nil {
		end.close()
	}
	return res, nil
}
