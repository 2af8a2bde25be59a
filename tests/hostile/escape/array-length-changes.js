// attack: an array that changes under every builtin that walks it
// expect: value "contained"
// bound: deadline - 500 ms
const a = new Array(1000).fill(0).map((_, i) => i + 0.5);
const evil = { valueOf() { a.length = 0; a.push({}, 'x'); return 1; } };
for (const f of [() => a.splice(evil, 5), () => a.fill(1, evil), () => a.indexOf(1, evil), () => a.lastIndexOf(1, evil), () => a.slice(evil), () => a.copyWithin(evil, 1), () => a.includes(1, evil), () => a.sort(() => evil), () => a.flat(evil), () => a.toSpliced(evil, 1), () => a.with(evil, 1), () => a.at(evil)]) {
  for (let i = 0; i < 1000; i++) a[i] = i + 0.5;
  try { f(); } catch { /* fine */ }
}
return 'contained';
