package worker

import (
	"embed"
	"fmt"
	"sync"

	v8 "github.com/tommie/v8go"

	"codemode-mcp/internal/script"
)

// The parts are bundles of npm packages, made by tools/js (make parts) and never
// edited by hand. Each is compiled in an isolate only when something needs it.
//
//go:embed parts/*.js
var partFiles embed.FS

// part is a script that is loaded into an isolate on first use. From the second
// isolate on it comes out of V8's code cache.
type part struct {
	source func() string // put together once, when it is needed
	cache  *v8.CompilerCachedData
}

// parts are the parts of a worker by name.
type parts map[string]*part

// outlinePart is acorn with the function that reads a script's form.
const outlinePart = "outline"

func newParts() parts {
	p := parts{outlinePart: {source: sync.OnceValue(func() string { return "(" + script.Outline + ")(" + partSource("acorn") + ")" })}}
	for _, name := range []string{"url", "clone", "encoding"} {
		p[name] = &part{source: sync.OnceValue(func() string { return partSource(name) })}
	}
	return p
}

// partSource is a program whose value is the part. The bundle declares part; the
// function keeps it from the script. It may name Function, which the prelude took away.
func partSource(name string) string {
	src, err := partFiles.ReadFile("parts/" + name + ".js")
	if err != nil {
		panic("BUG: part is missing: " + name)
	}
	return "((Function) => {" + string(src) + "\nreturn part})((() => {}).constructor)"
}

// load runs a part in the runner's context and gives its value. Once it was used
// in an isolate, keep makes its code cache.
func (r *runner) load(name string) (value *v8.Value, keep func(), err error) {
	p := r.w.parts[name]
	if p == nil {
		return nil, nil, fmt.Errorf("no part %q", name)
	}
	code, err := r.iso.CompileUnboundScript(p.source(), preludeOrigin, v8.CompileOptions{CachedData: p.cache})
	if err != nil {
		return nil, nil, fmt.Errorf("compile part %s: %w", name, err)
	}
	value, err = code.Run(r.ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("run part %s: %w", name, err)
	}
	return value, func() {
		if p.cache == nil { // after the first use, so that what was compiled lazily is in it
			p.cache = code.CreateCodeCache()
		}
	}, nil
}

// formRehearsal makes acorn do what most scripts ask of it.
const formRehearsal = "export default async function main() { const {a, ...b} = await f(`x${1}`); for (const c of [a ?? b]) " +
	"if (/x/.test(c)) return c.d?.[0] + 1; try { g(() => ({ e: -1 })) } catch { } }"

// rehearseParts fills the code caches of the parts that preparing may need.
func (r *runner) rehearseParts() error {
	e := &engine{r: r}
	_, err := e.Outline(formRehearsal)
	return err
}
