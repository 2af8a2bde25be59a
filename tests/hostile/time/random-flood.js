// attack: random bytes without end
// expect: timeout
// bound: deadline + 500 ms
const b = new Uint8Array(65536);
for (;;) crypto.getRandomValues(b);
