// attack: the state is a proxy with two answers to each question
// expect: value any | exception
// bound: deadline - 500 ms
let n = 0;
state = new Proxy({}, { ownKeys: () => ['a', 'b'].slice(n++ % 2), getOwnPropertyDescriptor: () => ({ value: n, enumerable: true, configurable: true }), get: () => (n++ % 2 ? { toJSON: () => undefined } : 1) });
return 1;
