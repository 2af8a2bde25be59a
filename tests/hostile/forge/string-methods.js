// attack: every method of strings, arrays and regular expressions is the script's own
// expect: value {"a":[1,"x"]} | exception
// bound: deadline - 500 ms
for (const p of [String.prototype, Array.prototype, RegExp.prototype, Number.prototype, Map.prototype, Set.prototype]) {
  for (const k of Reflect.ownKeys(p)) { if (k !== 'constructor' && k !== 'length') { try { p[k] = () => ({ forged: 1 }); } catch { /* fixed */ } } }
}
let n = 0;
try { console.log('x', { a: [1] }); n++; } catch { /* its own loss */ }
return { a: [1, 'x'], f() {} };
