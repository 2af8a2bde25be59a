package config

import (
	"slices"
	"strconv"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/limits"
)

// variablePrefix is what our variables begin with.
const variablePrefix = "CODE_MODE_"

// Variables are the environment variables that mean something to us.
func Variables() []string {
	return append(limits.Names(), RoleVariable, SandboxVariable, CacheVariable, TokenVariable, JITVariable, ExposeVariable, ResidentVariable)
}

// strayVariables tells of variables that look like ours and are not: a slip of the
// pen would leave a limit at its default without a word.
func strayVariables(environment []string) []string {
	known := Variables()
	var out []string
	for _, pair := range environment {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, variablePrefix) || slices.Contains(known, name) {
			continue
		}
		text := "the environment variable " + strconv.Quote(name) + " is none of ours and has no effect"
		if near := catalog.Nearest(name, known); len(near) > 0 {
			text += ": did you mean " + near[0] + "?"
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}
