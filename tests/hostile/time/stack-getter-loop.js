// attack: an error whose stack never comes
// expect: timeout
// bound: deadline + 500 ms
const e = new Error('x');
Object.defineProperty(e, 'stack', { get() { for (;;) {} } });
throw e;
