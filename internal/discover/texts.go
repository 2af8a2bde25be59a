package discover

import (
	"fmt"
	"strings"

	"codemode-mcp/internal/limits"
)

// The URIs of the declarations. ServerURI has a variable.
const (
	SDKURI       = "codemode://code-mode/sdk.d.ts"
	ServerURI    = ServerPrefix + "{server}" + ServerSuffix
	ServerPrefix = "codemode://code-mode/sdk/"
	ServerSuffix = ".d.ts"
)

// maxText is how long a description and the instructions may be, in bytes: clients
// cut both at 2,048 characters.
const maxText = 2047

// signatureRoom is how many bytes of a text name servers and show signatures at
// most: about 300 tokens, so that what a client lists stays below 1,000.
const signatureRoom = 1000

// Facts are what the texts tell besides the tools.
type Facts struct {
	Limits limits.Limits
	// Hint is said where there are no tools, or few.
	Hint string
	// Scripts says that execute_script is there.
	Scripts bool
	// Hidden says that some tools are not in the client's list.
	Hidden bool
	// Starting says that some servers have not come up yet.
	Starting bool
}

// contract is how a script is written: the essentials.
const contract = `Run one JavaScript/TypeScript program that calls tools; only what it returns comes back. Use it for any task of several tool calls, loops, filtering or joining.
- The script is the body of an async function: use await, and return the result (JSON).
- Call await tools.<server>.<name>({...}); results are parsed values; a failed call throws an Error. tools exists only inside the script.
- Independent calls: await Promise.all([...]).
- args is the input; console.log goes to logs; state lasts between runs.
- No require, import, fetch, process or files.
`

// Description is execute_script's text for the model.
func (v View) Description(f Facts) string {
	var b strings.Builder
	b.WriteString(contract)
	l := f.Limits
	fmt.Fprintf(&b, "- Limits: %d s, %d tool calls, %d MB, result %d characters.\n", l.TimeoutSeconds, l.MaxToolCalls, l.MaxMemoryMB, l.MaxResultChars)
	groups := v.groups()
	if len(groups) == 0 {
		b.WriteString("No tools are available to scripts.")
		if f.Hint != "" {
			b.WriteString(" " + f.Hint)
		}
		return b.String()
	}
	b.WriteString(v.share(groups, min(signatureRoom, maxText-b.Len())))
	return b.String()
}

// Instructions are the server's own text for the model.
func (v View) Instructions(f Facts) string {
	var b strings.Builder
	groups := v.groups()
	if f.Scripts {
		b.WriteString("For any task of more than one tool call, write one JavaScript/TypeScript program and run it with execute_script: the body of an async function that calls tools as await tools.<server>.<name>({...}), joins and filters, and returns only what is needed. ")
		if f.Hidden {
			b.WriteString("Not every tool is in the list: search_tools finds all of them by words, with signatures; each can be called from a script, and directly by its name. ")
		} else {
			b.WriteString("search_tools gives signatures of tools. ")
		}
		b.WriteString("Types: search_tools with detail \"full\", or the resource " + SDKURI + ".\n")
	}
	if f.Starting {
		b.WriteString("Some servers are still starting; their tools come later.\n")
	}
	if len(groups) > 0 && f.Scripts {
		b.WriteString(v.share(groups, min(signatureRoom, maxText-b.Len()-len(f.Hint)-1)))
	}
	if f.Hint != "" {
		b.WriteString("\n" + f.Hint)
	}
	return strings.TrimSpace(b.String())
}
