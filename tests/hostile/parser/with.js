// attack: with over a proxy that has everything
// expect: value 3
// bound: deadline + 500 ms
with (new Proxy({}, { has: () => true, get: (t, k) => (k === Symbol.unscopables ? undefined : () => 3) })) { return anything(); }
