// attack: ephemerons whose keys all live
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keys = [];
const m = new WeakMap();
for (;;) {
  const k = {};
  keys.push(k);
  m.set(k, { k });
}
