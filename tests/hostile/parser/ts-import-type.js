// attack: TypeScript: an import of types and one that remains
// expect: syntax_error
// bound: deadline - 500 ms
import type { A } from "a";
import { readFileSync } from "fs";
const x: number = readFileSync("/etc/passwd").length;
return x;
