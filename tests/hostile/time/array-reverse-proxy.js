// attack: reverse over a proxy that claims to be endless
// expect: timeout
// bound: deadline + 500 ms
const p = new Proxy([], { get: (t, k) => (k === 'length' ? Number.MAX_SAFE_INTEGER : 1), has: () => true, set: () => true, deleteProperty: () => true });
Array.prototype.reverse.call(p);
