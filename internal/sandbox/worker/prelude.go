package worker

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"unicode"
)

//go:embed prelude/*.js
var preludeFiles embed.FS

// preludeOrigin marks the prelude's frames in stacks: stack.js drops them.
const preludeOrigin = "codemode:prelude"

// preludeOrder is the order in which the parts see each other.
var preludeOrder = []string{"core.js", "stack.js", "promise.js", "args.js", "tools.js", "console.js", "result.js", "timers.js", "web.js", "emit.js", "search.js", "state.js", "run.js"}

// preludeGlobal is where the prelude leaves its functions for the worker, until it
// is linked.
const preludeGlobal = "codemode:prelude"

// preludeSource joins the parts into one program, as short as it gets by lines: it is
// in every isolate. One character beyond Latin-1 would make V8 store two bytes for each.
var preludeSource = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("globalThis['" + preludeGlobal + "'] = (function () { 'use strict';\n")
	for _, name := range preludeOrder {
		src, err := preludeFiles.ReadFile("prelude/" + name)
		if err != nil {
			panic("BUG: prelude part is missing: " + name)
		}
		for line := range strings.Lines(string(src)) {
			line = strings.TrimLeft(line, " ") // no string of the prelude goes over lines
			if strings.HasPrefix(line, "//") {
				continue
			}
			for _, c := range line {
				if c > unicode.MaxASCII {
					fmt.Fprintf(&b, "\\u%04x", c)
				} else {
					b.WriteRune(c)
				}
			}
		}
	}
	b.WriteString("})()")
	return b.String()
})
