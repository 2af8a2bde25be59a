// attack: tools can't be written, deleted, sealed or given a prototype
// expect: value []
// bound: deadline - 500 ms
'use strict';
const done = [];
for (const f of [() => { tools.read_file = 1; }, () => { delete tools.read_file; }, () => Object.freeze(tools), () => Object.setPrototypeOf(tools, {}), () => Object.defineProperty(tools, 'x', { value: 1 }), () => { tools.workspace.read_file = 1; }]) { try { f(); done.push(String(f)); } catch { /* refused */ } }
return done;
