// Who calls this method? Finds every Go function whose body calls a method of
// the given name: one grep, then the files around the hits in parallel, and only
// the callers come back.
//
//   codemode-mcp run examples/who-calls.js --args '{"method": "Close", "path": "cmd"}'
//
// path is the folder to search, by default all of the workspace.

const method = args.method ?? "Close";

// The word alone is searched: a call may have its dot on the line before.
const hits = await tools.grep({ pattern: `\\b${method}\\b`, glob: "*.go", path: args.path ?? ".", limit: 1000 });
if (hits.truncated) console.warn("there are more hits than one search gives: narrow the name");
const found = [...new Set(hits.matches.map((m) => m.path))];

// A run has fifty calls by default. Where that is not enough, tests come last.
const isTest = (path) => path.endsWith("_test.go");
const files = [...found.filter((path) => !isTest(path)), ...found.filter(isTest)].slice(0, 45);
if (files.length < found.length) console.warn(`${found.length - files.length} of ${found.length} files were not read: search a part of the tree, or allow more calls`);
const texts = await Promise.all(files.map((path) => tools.read_file({ path })));
console.log(`${hits.matches.length} hits in ${files.length} files of ${texts.reduce((n, t) => n + t.content.length, 0)} characters`);

// Comments and strings become blanks, so that what is left is code and every
// line stays where it is.
const blank = (s) => s.replace(/[^\n]/g, " ");
const code = (s) => s.replace(/\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|`[^`]*`/g, blank);
const lineOf = (s, i) => s.slice(0, i).split("\n").length;

const rows = [];
for (const { path, content } of texts) {
  const text = code(content);
  for (const fn of text.matchAll(/^func (?:\([^)\n]*?(\w+)(?:\[[^\]\n]*\])?\) )?(\w+)(?:[^\n]*\}[ \t]*$|[^]*?^\})/gm)) {
    const call = new RegExp(`\\.\\s*${method}\\s*\\(`).exec(fn[0]);
    if (!call) continue;
    const line = lineOf(text, fn.index + call.index + call[0].indexOf(method));
    rows.push({ caller: fn[1] ? `${fn[1]}.${fn[2]}` : fn[2], file: path, line });
  }
}
return rows;
