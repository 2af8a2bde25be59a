// attack: hashes of giants, again and again
// expect: timeout | memory_limit | exception
// bound: deadline + 500 ms
const b = new Uint8Array(1 << 23);
for (;;) await crypto.subtle.digest('SHA-512', b);
