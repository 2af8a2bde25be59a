// Package surface is the one list of what a script sees beside the language: the
// declarations of sdk.d.ts, docs/scripts.md and the names that an error proposes
// all come from it, so that none can promise what is not there.
//
// It is data. It must import no other package of this module but near, for hints.
package surface

import (
	_ "embed" // page.md
	"strings"
)

// Entry is one thing that a script may use.
type Entry struct {
	// Names are the globals that the entry makes.
	Names []string
	// Doc says what it does, in one or two sentences.
	Doc string
	// Declaration is its TypeScript. Empty for what the tools' own part of
	// sdk.d.ts declares.
	Declaration string
	// Example is a script, and Result its result as JSON. The examples are tests.
	Example, Result string
}

// Group is a part of the surface.
type Group struct {
	Title   string
	Entries []Entry
}

// Names lists every global.
func Names() []string {
	var out []string
	for _, g := range Groups {
		for _, e := range g.Entries {
			out = append(out, e.Names...)
		}
	}
	return out
}

// Declarations is the TypeScript of the surface.
func Declarations() string {
	var b strings.Builder
	for _, g := range Groups {
		for _, e := range g.Entries {
			if e.Declaration != "" {
				b.WriteString("/** " + e.Doc + " */\n" + e.Declaration + "\n")
			}
		}
	}
	return b.String()
}

// Markdown is the part of docs/scripts.md that lists the surface.
func Markdown() string {
	var b strings.Builder
	for _, g := range Groups {
		b.WriteString("### " + g.Title + "\n\n")
		for _, e := range g.Entries {
			b.WriteString("**`" + strings.Join(e.Names, "`, `") + "`**: " + e.Doc + "\n\n")
			b.WriteString("```js\n" + e.Example + "\n// " + e.Result + "\n```\n\n")
		}
	}
	b.WriteString("### What is not there\n\n| name | instead |\n|---|---|\n")
	for _, a := range Absent {
		b.WriteString("| `" + a.Name + "` | " + a.Instead + " |\n")
	}
	return b.String()
}

// page is docs/scripts.md but for the lists.
//
//go:embed page.md
var page string

// Page is docs/scripts.md, with the table of the forms that a script may have.
// make update-golden writes it (tests/surface_test.go); the program has no use for it.
func Page(forms string) string {
	return strings.NewReplacer("<!-- forms -->\n", forms, "<!-- surface -->\n", Markdown()).Replace(page)
}
