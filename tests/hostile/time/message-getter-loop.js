// attack: an error whose message never comes
// expect: timeout
// bound: deadline + 500 ms
const e = new Error('x');
Object.defineProperty(e, 'message', { get() { for (;;) {} } });
throw e;
