// attack: names, messages and causes of megabytes
// expect: exception
// bound: deadline - 500 ms
const e = new AggregateError(Array.from({ length: 1000 }, () => new Error('x'.repeat(1e4))), 'm'.repeat(1e6), { cause: new Error('c'.repeat(1e6)) });
e.name = 'n'.repeat(1e6);
throw e;
