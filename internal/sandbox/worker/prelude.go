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

// preludeSource joins the parts into one function that takes the host bridge.
func preludeSource() string {
	var b strings.Builder
	b.WriteString("(function (host) { 'use strict';\n")
	for _, name := range preludeOrder {
		src, err := preludeFiles.ReadFile("prelude/" + name)
		if err != nil {
			panic("BUG: prelude part is missing: " + name)
		}
		b.Write(src)
		b.WriteByte('\n')
	}
	b.WriteString("})")
	return b.String()
}
