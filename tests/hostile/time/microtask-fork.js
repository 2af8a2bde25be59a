// attack: each microtask makes two
// expect: timeout | memory_limit
// bound: deadline + 500 ms
const f = () => { Promise.resolve().then(f); Promise.resolve().then(f); };
f();
await new Promise(() => {});
