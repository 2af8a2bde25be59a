// attack: each failed allocation is caught and tried again
// expect: memory_limit | exception | timeout
// bound: deadline + 500 ms
const keep = [];
for (;;) {
  try { keep.push(new Uint8Array(1 << 24).fill(1)); } catch { keep.push(new Uint8Array(1 << 10)); }
}
