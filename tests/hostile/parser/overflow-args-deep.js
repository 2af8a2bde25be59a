// attack: arguments nested 100,000 deep
// expect: value "TypeError"
// bound: deadline + 500 ms
let a = {};
for (let i = 0; i < 1e5; i++) a = { a };
try { await tools.read_file(a); } catch (e) { return e.name; }
