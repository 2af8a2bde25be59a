package worker

import (
	"errors"
	"strconv"
	"strings"

	v8 "github.com/tommie/v8go"

	"codemode-mcp/internal/script"
)

// engine is the runner as [script.Prepare] sees it. It keeps the last code that
// compiled.
type engine struct {
	r       *runner
	code    *v8.UnboundScript
	outline *v8.Function
}

var _ script.Engine = (*engine)(nil)

// Compile compiles without running anything.
func (e *engine) Compile(code string) *script.Refusal {
	unbound, err := e.r.iso.CompileUnboundScript(code, script.Origin, v8.CompileOptions{})
	if err == nil {
		e.code = unbound
		return nil
	}
	var js *v8.JSError
	if !errors.As(err, &js) {
		return &script.Refusal{Message: err.Error()}
	}
	out := &script.Refusal{Message: js.Message}
	if rest, ok := strings.CutPrefix(js.Location, script.Origin+":"); ok {
		line, column, _ := strings.Cut(rest, ":")
		out.Line, _ = strconv.Atoi(line)
		out.Column, _ = strconv.Atoi(column)
	}
	return out
}

// Outline runs acorn in the isolate, before anything of the script has run there.
func (e *engine) Outline(source string) (string, error) {
	keep := func() {}
	if e.outline == nil {
		value, made, err := e.r.load(outlinePart)
		if err != nil {
			return "", err
		}
		if e.outline, err = value.AsFunction(); err != nil {
			return "", err
		}
		keep = made
	}
	text, err := v8.NewValue(e.r.iso, source)
	if err != nil {
		return "", err
	}
	out, err := e.outline.Call(v8.Undefined(e.r.iso), text)
	if err != nil {
		return "", err
	}
	keep()
	return out.String(), nil
}
