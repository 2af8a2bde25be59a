// attack: structuredClone of a growing graph
// expect: memory_limit | exception
// bound: deadline + 500 ms
let a = [1];
for (;;) a = [structuredClone(a), structuredClone(a), a];
