// attack: division of giants
// expect: timeout | exception | memory_limit
// bound: deadline + 500 ms
const a = (1n << 60000000n) - 1n;
const b = (1n << 29999999n) - 3n;
let n = 0n;
for (;;) n += a / b;
