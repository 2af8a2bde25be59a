// attack: a FinalizationRegistry with millions of cells
// expect: memory_limit | exception
// bound: deadline + 500 ms
const registry = new FinalizationRegistry(() => {});
const keep = [];
for (let i = 0; ; i++) {
  const o = {};
  keep.push(o);
  registry.register(o, { i }, o);
}
