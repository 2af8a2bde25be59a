// attack: flat of nested repeats of one array
// expect: memory_limit | exception
// bound: deadline + 500 ms
let a = new Array(1000).fill(1);
for (let i = 0; i < 3; i++) a = new Array(1000).fill(a);
return a.flat(4).length;
