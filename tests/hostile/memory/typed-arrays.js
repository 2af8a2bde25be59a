// attack: many Uint8Array outside the heap limit
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keep = [];
for (let i = 0; i < 2000; i++) keep.push(new Uint8Array(10 * 1024 * 1024).fill(1));
return keep.length;
