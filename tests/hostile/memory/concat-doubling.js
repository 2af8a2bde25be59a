// attack: an array concatenated with itself
// expect: memory_limit | exception
// bound: deadline + 500 ms
let a = [1.5];
for (;;) a = a.concat(a);
