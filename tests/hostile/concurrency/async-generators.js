// attack: a hundred thousand async generators, half consumed
// expect: value 100000 | timeout
// bound: deadline + 500 ms
async function* g() { yield 1; yield 2; }
let n = 0;
for (let i = 0; i < 1e5; i++) n += (await g().next()).value;
return n;
