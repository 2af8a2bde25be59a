// attack: a call with a hundred million arguments
// expect: memory_limit | exception
// bound: deadline + 500 ms
const a = new Array(1e6).fill(1);
const big = [];
for (let i = 0; i < 20; i++) big.push(...a);
return Math.max(...big);
