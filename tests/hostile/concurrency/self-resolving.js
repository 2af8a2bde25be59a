// attack: a promise that is resolved with itself
// expect: exception
// bound: deadline - 500 ms
let f;
const p = new Promise((r) => { f = r; });
f(p);
return await p;
