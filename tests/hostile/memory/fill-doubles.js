// attack: 1 GB in one allocation: V8 aborts the process
// expect: memory_limit | exception
// bound: deadline + 500 ms
const a = new Array(2 ** 27).fill(0.5);
return a.length;
