// attack: sort does not notice a termination for seconds
// expect: timeout | memory_limit
// bound: deadline + 500 ms
const a = [];
for (let i = 0; i < 3e6; i++) a.push((i * 7919) % 1000003);
for (;;) a.slice().sort();
