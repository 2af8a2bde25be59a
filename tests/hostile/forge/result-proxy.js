// attack: a result that is a proxy with every trap
// expect: value {"a":7,"b":7}
// bound: deadline - 500 ms
const p = new Proxy({}, { get: (t, k) => (k === 'toJSON' ? undefined : 7), ownKeys: () => ['a', 'b'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), getPrototypeOf: () => Object.prototype });
return p;
