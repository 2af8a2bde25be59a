// attack: objects that keep each other alive
// expect: memory_limit | exception
// bound: deadline + 500 ms
let last = null;
for (;;) last = { last, a: {}, b: [] };
