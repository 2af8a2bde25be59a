// attack: two async loops that wait for each other for ever
// expect: timeout | exception
// bound: deadline + 500 ms
let a, b;
const wait = () => new Promise((r) => { b = a; a = r; if (b) b(); });
const loop = async () => { for (;;) await wait(); };
await Promise.all([loop(), loop()]);
