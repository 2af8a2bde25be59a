// attack: promises that wait for each other
// expect: memory_limit | exception
// bound: deadline + 500 ms
let p = Promise.resolve();
const keep = [];
for (;;) {
  p = p.then(() => {});
  keep.push(p);
}
