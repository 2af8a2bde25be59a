// attack: a stack that is a string once and an object the second time
// expect: exception
// bound: deadline - 500 ms
let n = 0;
const e = new Error('x');
Object.defineProperty(e, 'stack', { get: () => (n++ ? { length: 1, charCodeAt: () => 1 } : 'x') });
throw e;
