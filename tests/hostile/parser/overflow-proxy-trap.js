// attack: a proxy whose trap asks the proxy
// expect: exception
// bound: deadline + 500 ms
// message: Maximum call stack
const p = new Proxy({}, { get: (t, k, r) => r[k] });
return p.x;
