// attack: reservations of address space by the hundred
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keep = [];
for (let i = 0; i < 5000; i++) keep.push(new ArrayBuffer(1 << 16, { maxByteLength: 2 ** 31 }));
for (const b of keep) { b.resize(1 << 24); new Uint8Array(b).fill(1); }
return keep.length;
