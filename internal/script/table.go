package script

import "strings"

// Form is one habit of writing a script, with an example of it.
type Form struct {
	// Habit says what is sent, for the docs.
	Habit string
	// Source is an example. It calls no tool.
	Source string
	// Result is what the example gives, as JSON; empty when it is refused.
	Result string
	// Refused is in the message of the error, and Hint in its hint.
	Refused, Hint string
	// Note is in the warning, where a script runs and has no result.
	Note string
}

// Forms is the one table of what a script may look like. Each row is a test, in
// the real engine and through the built program, and a row of docs/scripts.md.
var Forms = []Form{
	{Habit: "a body with `return`", Source: "return 1", Result: `1`},
	{Habit: "a body with `await` and `return`", Source: "const x = await 2\nreturn x", Result: `2`},
	{Habit: "a `return` in a branch, a loop, `try` or `switch`", Source: "for (const x of [1, 2]) { if (x > 1) return x }", Result: `2`},
	{Habit: "one expression", Source: "1 + 1", Result: `2`},
	{Habit: "a last expression", Source: "const r = [1]\nr.length", Result: `1`},
	{Habit: "a last expression with `await`", Source: "const r = 3\nawait r;", Result: `3`},
	{Habit: "an object literal", Source: `{ a: 1, "b": [2] }`, Result: `{"a":1,"b":[2]}`},
	{Habit: "an async arrow function", Source: "async () => { return 1 }", Result: `1`},
	{Habit: "an arrow function with a value", Source: "() => 2;", Result: `2`},
	{Habit: "a function that takes the input", Source: "async (args) => Object.keys(args).length", Result: `0`},
	{Habit: "a function that takes `{ tools, args }`", Source: "async ({ tools, args }) => [typeof tools, typeof args]", Result: `["object","object"]`},
	{Habit: "a function that takes `tools`", Source: "async (tools) => typeof tools", Result: `"object"`},
	{Habit: "an arrow function that is called", Source: "(async () => { return 4 })()", Result: `4`},
	{Habit: "a function that is called", Source: "(function () { return 4 })();", Result: `4`},
	{Habit: "`async function main` without a call", Source: "async function main() { return 3 }", Result: `3`},
	{Habit: "`async function main` with a call", Source: "async function main() { return 3 }\nmain()", Result: `3`},
	{Habit: "`main` before its function", Source: "await main()\nasync function main() { return 3 }", Result: `3`},
	{Habit: "`const main` without a call", Source: "const main = async () => { return 8 }", Result: `8`},
	{Habit: "`main` beside other functions", Source: "function half(x) { return x / 2 }\nfunction main() { return half(8) }", Result: `4`},
	{Habit: "one function of any name", Source: "function compute() { return 9 }", Result: `9`},
	{Habit: "a function that has no name", Source: "function () { return 5 }", Result: `5`},
	{Habit: "`export default` of a function", Source: "export default async function main() { return 1 }", Result: `1`},
	{Habit: "`export default` of an arrow function", Source: "export default async () => 6", Result: `6`},
	{Habit: "`export default` of an expression", Source: "const x = 2\nexport default x + 1", Result: `3`},
	{Habit: "`export` of a `main`", Source: "export async function main() { return 2 }", Result: `2`},
	{Habit: "`module.exports` of a function", Source: "module.exports = async () => 7", Result: `7`},
	{Habit: "`module.exports` of a value", Source: "module.exports = { ok: true }", Result: `{"ok":true}`},
	{Habit: "`module.exports` of an object with a `main`", Source: "module.exports = { main: async () => 1 }", Result: `1`},
	{Habit: "`exports.main`, `exports.handler`, `exports.default`", Source: "exports.handler = async () => 2", Result: `2`},
	{Habit: "a Markdown fence with a language", Source: "```js\nreturn 1\n```", Result: `1`},
	{Habit: "a fence without a language", Source: "```\n1 + 1\n```", Result: `2`},
	{Habit: "a fence of TypeScript", Source: "```ts\nconst n: number = 3\nreturn n\n```", Result: `3`},
	{Habit: "a fence of tildes", Source: "~~~javascript\nreturn 1\n~~~", Result: `1`},
	{Habit: "a fence with prose around it", Source: "Here it is:\n\n```js\nreturn 2\n```\n\nIt gives two.", Result: `2`},
	{Habit: "a fence with a label above it", Source: "Code:\n```js\nreturn 2\n```", Result: `2`},
	{Habit: "a fence below a comment", Source: "// the program\n```js\nreturn 2\n```", Result: `2`},
	{Habit: "a byte order mark", Source: "\ufeffreturn 1", Result: `1`},
	{Habit: "CRLF", Source: "const a = 1\r\nreturn a\r\n", Result: `1`},
	{Habit: "a hashbang", Source: "#!/usr/bin/env node\nreturn 1", Result: `1`},
	{Habit: "`\"use strict\"`", Source: "\"use strict\"; 5", Result: `5`},
	{Habit: "a comment at the end", Source: "return 1 // done", Result: `1`},
	{Habit: "an HTML comment", Source: "return 1 <!-- done", Result: `1`},
	{Habit: "a trailing HTML comment", Source: "return 1\n--> done", Result: `1`},
	{Habit: "types, interfaces, enums, generics", Source: "interface P { n: number }\nenum E { A = 2 }\nconst id = <T,>(x: T): T => x\nreturn id<P>({ n: E.A }).n", Result: `2`},
	{Habit: "`satisfies`, `as const`, `!`", Source: "const c = { a: 1 } as const satisfies object\nlet x: number | undefined = c.a\nreturn x!", Result: `1`},
	{Habit: "`import type`", Source: "import type { X } from \"x\"\nreturn 1", Result: `1`},
	{Habit: "what a string holds is no form", Source: "\"async () => { return 1 }\"", Result: `"async () => { return 1 }"`},
	{Habit: "what a template holds is no form", Source: "`export default ${2}`", Result: `"export default 2"`},
	{Habit: "what a regular expression holds is no form", Source: "/return/.test(\"return\")", Result: `true`},
	{Habit: "a fence in a string is none", Source: "return \"```js\"", Result: "\"```js\""},
	{Habit: "a generator that is called", Source: "[...(function* () { yield 1 })()]", Result: `[1]`},
	{Habit: "a generator function", Source: "function* main() { yield 1 }", Refused: "generator function", Hint: "async function"},
	{Habit: "an async generator function", Source: "async function* () { yield 1 }", Refused: "generator function", Hint: "async function"},
	{Habit: "nothing", Source: " \n\t", Refused: "empty", Hint: "send a program"},
	{Habit: "comments only", Source: "// nothing\n/* at all */", Refused: "only comments", Hint: "send a program"},
	{Habit: "`import` of a module", Source: "import fs from \"fs\"\nreturn 1", Refused: "can't import", Hint: "import type"},
	{Habit: "`export` from a module", Source: "export { default } from \"x\"", Refused: "can't import", Hint: "no modules"},
	{Habit: "statements after `export default`", Source: "export default 1\nlet x = 2", Refused: "statements follow", Hint: "last"},
	{Habit: "JSX", Source: "return <div>hi</div>", Refused: "SyntaxError", Hint: "JSX is not supported"},
	{Habit: "decorators", Source: "@sealed class X {}\nreturn 1", Refused: "SyntaxError", Hint: "decorators are not supported"},
	{Habit: "a fence of another language", Source: "```python\nprint(1)\n```", Refused: "language python", Hint: "JavaScript"},
	{Habit: "more than one fence", Source: "```js\nreturn 1\n```\n```js\nreturn 2\n```", Refused: "more than one", Hint: "one program"},
	{Habit: "leaving the function around the script", Source: "})(); (async () => {", Refused: "SyntaxError"},
	{Habit: "a loop and nothing else", Source: "for (const x of [1]) { x }", Result: `null`, Note: "no return"},
	{Habit: "several functions, none of them a `main`", Source: "function a() {}\nfunction b() {}", Result: `null`, Note: "calls none"},
}

// FormsMarkdown is the table of docs/scripts.md. make update-golden writes it; the
// program has no use for it.
func FormsMarkdown() string {
	var b strings.Builder
	b.WriteString("| what is sent | for example | what comes of it |\n|---|---|---|\n")
	for _, f := range Forms {
		result := inCell(f.Result)
		switch {
		case f.Refused != "":
			result = "a `syntax_error`"
		case f.Note != "":
			result += " and a warning"
		}
		b.WriteString("| " + f.Habit + " | " + inCell(f.Source) + " | " + result + " |\n")
	}
	return b.String()
}

// inCell makes code that fits into a cell of a table: a line break is shown as ⏎.
func inCell(code string) string {
	code = strings.NewReplacer("\ufeff", "<U+FEFF>", "\r\n", " ⏎ ", "\n", " ⏎ ", "\t", " ", "|", `\|`).Replace(code)
	fence := "`"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	if fence != "`" {
		return fence + " " + code + " " + fence
	}
	return fence + code + fence
}
