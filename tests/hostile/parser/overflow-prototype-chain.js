// attack: a prototype that is a proxy of its own child
// expect: exception
// bound: deadline + 500 ms
const o = {};
const p = new Proxy(o, {});
try { Object.setPrototypeOf(o, p); } catch { /* a cycle is refused for plain objects only */ }
return o.missing;
