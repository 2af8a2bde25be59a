// Reads programs on standard input, {name: {file: text}}, and checks each with the
// real TypeScript compiler, strict. Prints what it says, and every "any" in a
// declaration file.
import ts from "typescript";
import { readFileSync } from "node:fs";

const programs = JSON.parse(readFileSync(0, "utf8"));
const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts"], types: [], skipLibCheck: false };
const libraries = new Map();
const parse = (name, text) => ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);

let failed = 0;
for (const [name, files] of Object.entries(programs)) {
  const sources = Object.fromEntries(Object.entries(files).map(([file, text]) => [file, parse(file, text)]));
  const host = ts.createCompilerHost(options);
  const original = host.getSourceFile;
  host.getSourceFile = (file, ...rest) => {
    if (sources[file]) return sources[file];
    if (!libraries.has(file)) libraries.set(file, original.call(host, file, ...rest));
    return libraries.get(file);
  };
  host.fileExists = (file) => sources[file] !== undefined || ts.sys.fileExists(file);
  const complain = (text) => {
    if (failed++ < 40) console.error(`${name}: ${text}`);
  };
  for (const d of ts.getPreEmitDiagnostics(ts.createProgram(Object.keys(files), options, host))) {
    const at = d.file ? d.file.getLineAndCharacterOfPosition(d.start) : { line: -1 };
    const line = d.file?.text.split("\n")[at.line]?.slice(0, 200);
    complain(`${d.file?.fileName}:${at.line + 1}: ${ts.flattenDiagnosticMessageText(d.messageText, "\n").slice(0, 400)}\n    ${line}`);
  }
  for (const [file, source] of Object.entries(sources)) {
    if (!file.endsWith(".d.ts")) continue;
    const visit = (node) => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) complain(`${file}: any at ${node.pos}: ${source.text.slice(node.pos - 60, node.end)}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
}
console.log(`${Object.keys(programs).length} programs, ${failed} complaints`);
process.exit(failed ? 1 : 0);
