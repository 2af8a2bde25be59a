// attack: a million tiny buffers: the cost is in their records, not in their bytes
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keep = [];
for (;;) keep.push(new Uint8Array(64));
