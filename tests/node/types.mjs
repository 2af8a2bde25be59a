// Reads declarations on standard input and checks them with the real TypeScript
// compiler, strict, with a program that uses them.
import ts from "typescript";
import { readFileSync } from "node:fs";

const files = {
  "sdk.d.ts": readFileSync(0, "utf8"),
  "good.ts": `async function f() {
    const r = await tools.read_file({ path: "a" });
    const n: number = r.totalLines + (await tools.workspace.grep({ pattern: "x" })).matches.length;
    console.log(n, await cc.callTool("read_file", { path: "a" }));
  }`,
  "bad.ts": `tools.read_file({ path: 1 });`,
};
const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts"], types: [] };
const host = ts.createCompilerHost(options);
const original = host.getSourceFile;
host.getSourceFile = (name, ...rest) =>
  files[name] === undefined ? original.call(host, name, ...rest) : ts.createSourceFile(name, files[name], ts.ScriptTarget.ES2022);
host.fileExists = (name) => files[name] !== undefined || ts.sys.fileExists(name);
const messages = (roots) =>
  ts.getPreEmitDiagnostics(ts.createProgram(roots, options, host)).map((d) => `${d.file?.fileName}: ${ts.flattenDiagnosticMessageText(d.messageText, "\n")}`);

const good = messages(["sdk.d.ts", "good.ts"]);
if (good.length > 0) {
  console.error(good.join("\n"));
  process.exit(1);
}
if (!messages(["sdk.d.ts", "bad.ts"]).some((m) => m.includes("not assignable"))) {
  console.error("a wrong argument type was accepted");
  process.exit(1);
}
console.log("types: ok");
