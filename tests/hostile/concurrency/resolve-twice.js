// attack: a thenable that settles again and again
// expect: value 0
// bound: deadline - 500 ms
const t = { then(f, g) { for (let i = 0; i < 1e5; i++) { f(i); g(i); } } };
return await t;
