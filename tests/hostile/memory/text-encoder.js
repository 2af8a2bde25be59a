// attack: bytes of giant texts
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keep = [];
for (let i = 0; ; i++) keep.push(new TextEncoder().encode('\u20ac'.repeat(1e6) + i));
