// attack: date strings through ICU by the million
// expect: timeout | memory_limit
// bound: deadline + 500 ms
const keep = [];
for (let i = 0; ; i++) keep.push(new Date(i * 1e6).toLocaleString('de-DE', { timeZone: 'UTC' }));
