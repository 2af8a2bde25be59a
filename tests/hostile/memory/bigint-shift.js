// attack: a BigInt of a billion bits
// expect: exception | memory_limit
// bound: deadline + 500 ms
let n = 1n;
const keep = [];
for (;;) {
  n = (n << 20000000n) | 1n;
  keep.push(n);
}
