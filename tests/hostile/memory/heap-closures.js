// attack: closures that each hold a context
// expect: memory_limit | exception
// bound: deadline + 500 ms
const list = [];
for (let i = 0; ; i++) {
  const held = [i, i];
  list.push(() => held);
}
