// attack: a line with an object nested 100,000 deep
// expect: value 1
// bound: deadline + 500 ms
let a = {};
for (let i = 0; i < 1e5; i++) a = { a };
console.log(a, [a], new Map([[a, a]]));
return 1;
