// attack: Symbol.species gives builtins an array of another kind
// expect: value "contained"
// bound: deadline - 500 ms
class Evil extends Array { static get [Symbol.species]() { return function () { return new Proxy(new Float64Array(4), {}); }; } }
const e = Evil.from([{}, 'a', 3, null]);
for (const f of ['map', 'filter', 'slice', 'splice', 'concat', 'flat', 'flatMap']) { try { e[f]((x) => x); } catch { /* fine */ } }
return 'contained';
