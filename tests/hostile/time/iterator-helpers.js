// attack: an endless chain of iterator helpers
// expect: timeout
// bound: deadline + 500 ms
function* g() { for (let i = 0; ; i++) yield i; }
return g().filter((x) => x < 0).take(1).toArray();
