// attack: a message that is a string once and an object the second time
// expect: exception
// bound: deadline - 500 ms
let n = 0;
throw Object.create(Error.prototype, { message: { get: () => (n++ ? { toString() { throw 1; } } : 'x') }, name: { get: () => ({ toString: () => 5 }) } });
