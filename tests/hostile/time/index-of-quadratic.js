// attack: search of a needle that almost matches everywhere
// expect: timeout | memory_limit
// bound: deadline + 500 ms
const hay = 'a'.repeat(1e7);
const needle = 'a'.repeat(5e6) + 'b';
for (let i = 0; ; i++) (hay + i).includes(needle);
