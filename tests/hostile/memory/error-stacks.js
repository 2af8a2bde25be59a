// attack: errors that keep deep stacks
// expect: memory_limit | exception
// bound: deadline + 500 ms
Error.stackTraceLimit = Infinity;
const keep = [];
const deep = (n) => (n === 0 ? keep.push(new Error('x')) : deep(n - 1));
for (;;) deep(2000);
