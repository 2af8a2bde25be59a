// attack: an error whose cause has a cause, 100,000 deep
// expect: exception
// bound: deadline + 500 ms
// message: next
let e = new Error('first');
for (let i = 0; i < 1e5; i++) e = new Error('next', { cause: e });
throw e;
