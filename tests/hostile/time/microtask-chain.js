// attack: promises that resolve each other without a loop
// expect: timeout
// bound: deadline + 500 ms
const f = () => Promise.resolve().then(f);
await f();
