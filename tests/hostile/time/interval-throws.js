// attack: an interval that throws each time
// expect: timeout
// bound: deadline + 500 ms
setInterval(() => { throw new Error('x'.repeat(1e5)); }, 1);
await new Promise(() => {});
