// attack: tight arithmetic that the optimizing compiler turns into code without checks
// expect: timeout
// bound: deadline + 500 ms
let x = 1;
for (let i = 0; i < 1e15; i++) x = (x * 1103515245 + 12345) | 0;
return x;
