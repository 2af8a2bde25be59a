// attack: padStart strings, each flattened
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keep = [];
for (let i = 0; ; i++) keep.push(String(i).padStart(1 << 20, 'ab').toUpperCase());
