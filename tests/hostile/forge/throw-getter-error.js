// attack: an error all of whose properties throw
// expect: exception
// bound: deadline - 500 ms
const e = new Error('m');
for (const k of ['message', 'stack', 'name', 'cause', 'errors', 'toString']) Object.defineProperty(e, k, { get() { throw e; } });
throw e;
