package worker

import (
	"embed"
	"strings"
)

//go:embed prelude/*.js
var preludeFiles embed.FS

// preludeOrigin marks the prelude's frames in stacks, which no script author
// should see.
const preludeOrigin = "codemode:prelude"

// preludeOrder is the order in which the parts see each other.
var preludeOrder = []string{"core.js", "promise.js", "args.js", "tools.js", "console.js", "result.js", "timers.js", "web.js", "emit.js", "search.js", "state.js", "run.js"}

// preludeGlobal is where the prelude leaves its functions for the worker, until it
// is linked.
const preludeGlobal = "codemode:prelude"

// preludeSource joins the parts into one program.
func preludeSource() string {
	var b strings.Builder
	b.WriteString("globalThis['" + preludeGlobal + "'] = (function () { 'use strict';\n")
	for _, name := range preludeOrder {
		src, err := preludeFiles.ReadFile("prelude/" + name)
		if err != nil {
			panic("BUG: prelude part is missing: " + name)
		}
		b.Write(src)
		b.WriteByte('\n')
	}
	b.WriteString("})()")
	return b.String()
}
