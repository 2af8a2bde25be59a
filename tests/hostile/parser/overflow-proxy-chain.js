// attack: a proxy of a proxy of a proxy, 200,000 deep
// expect: exception
// bound: deadline + 500 ms
// message: Maximum call stack
let p = {};
for (let i = 0; i < 2e5; i++) p = new Proxy(p, {});
return p.x;
