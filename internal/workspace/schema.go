package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/invopop/jsonschema"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/policy"
)

// spec is what a tool is, besides its argument and result types.
type spec struct {
	name, title, description string
	role                     policy.Role
	readOnly                 bool
	destructive              bool
	idempotent               bool
}

// define makes the tool that runs fn. The schemas come from the types.
func define[In, Out any](s spec, fn func(context.Context, In) (*Out, error)) (catalog.Tool, error) {
	reflector := jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true}
	in, out := reflector.Reflect(new(In)), reflector.Reflect(new(Out))
	input, err := json.Marshal(in)
	if err != nil {
		return catalog.Tool{}, err
	}
	output, err := json.Marshal(out)
	if err != nil {
		return catalog.Tool{}, err
	}
	known := func(name string) bool { _, ok := in.Properties.Get(name); return ok }
	closed := false
	return catalog.Tool{
		Server: catalog.Workspace, Name: s.name, Title: s.title, Description: s.description, Role: s.role,
		InputSchema: input, OutputSchema: output,
		Annotations: catalog.Annotations{
			ReadOnly: s.readOnly, Destructive: &s.destructive, Idempotent: s.idempotent, OpenWorld: &closed,
		},
		Invoke: func(ctx context.Context, raw json.RawMessage) (*catalog.Result, error) {
			args, err := decode[In](raw, known)
			if err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			res, err := fn(ctx, args)
			if err != nil {
				return nil, err
			}
			return encode(res)
		},
	}, nil
}

// decode reads the arguments. They fit the schema already; names are compared
// once more because encoding/json takes "Path" for "path".
func decode[In any](raw json.RawMessage, known func(string) bool) (In, error) {
	var args In
	if len(bytes.TrimSpace(raw)) == 0 {
		return args, nil
	}
	var names map[string]json.RawMessage
	if err := json.Unmarshal(raw, &names); err != nil {
		return args, fail(KindInvalid, "", "the arguments are not a JSON object")
	}
	for name := range names {
		if !known(name) {
			return args, fail(KindInvalid, "", "the argument %q is unknown", name)
		}
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&args); err != nil {
		return args, fail(KindInvalid, "", "the arguments do not fit: %s", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return args, fail(KindInvalid, "", "something follows the arguments")
	}
	return args, nil
}

// encode gives the result as JSON, and the same JSON as text. Characters such as
// < stay as they are: the reader is a model, not a browser.
func encode(v any) (*catalog.Result, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	out := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	return &catalog.Result{Structured: out, Content: []catalog.Content{catalog.Text(string(out))}}, nil
}

// buildTools makes the tools this workspace offers.
func (w *Workspace) buildTools() ([]catalog.Tool, error) {
	builders := []func() (catalog.Tool, error){
		func() (catalog.Tool, error) { return define(listSpec, w.list) },
		func() (catalog.Tool, error) { return define(globSpec, w.glob) },
		func() (catalog.Tool, error) { return define(grepSpec, w.grep) },
		func() (catalog.Tool, error) { return define(readSpec, w.read) },
		func() (catalog.Tool, error) { return define(infoSpec, w.stat) },
	}
	if w.opts.Writable {
		builders = append(builders,
			func() (catalog.Tool, error) { return define(writeSpec, w.write) },
			func() (catalog.Tool, error) { return define(editSpec, w.edit) },
			func() (catalog.Tool, error) { return define(mkdirSpec, w.mkdir) },
			func() (catalog.Tool, error) { return define(moveSpec, w.move) },
			func() (catalog.Tool, error) { return define(deleteSpec, w.remove) },
		)
	}
	var tools []catalog.Tool
	for _, build := range builders {
		t, err := build()
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// Offers reports whether a workspace can have a tool of that name, and whether
// only a writable one has it.
func Offers(name string) (known, writable bool) {
	for _, s := range []spec{listSpec, globSpec, grepSpec, readSpec, infoSpec, writeSpec, editSpec, mkdirSpec, moveSpec, deleteSpec} {
		if s.name == name {
			return true, !s.readOnly
		}
	}
	return false, false
}
