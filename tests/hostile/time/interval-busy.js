// attack: an interval that is always due
// expect: timeout
// bound: deadline + 500 ms
setInterval(() => { const end = Date.now() + 5; while (Date.now() < end); }, 0);
await new Promise(() => {});
