// attack: collation of long texts
// expect: timeout | memory_limit
// bound: deadline + 500 ms
const a = '\u0301e'.repeat(1e6);
for (let i = 0; ; i++) (a + i).localeCompare(a + 'x', 'de', { sensitivity: 'base' });
