// attack: ArrayBuffer.transfer to ever larger buffers
// expect: memory_limit | exception
// bound: deadline + 500 ms
let b = new ArrayBuffer(1 << 20);
const keep = [];
for (;;) {
  b = b.transfer(b.byteLength * 2);
  new Uint8Array(b).fill(3);
  keep.push(b.slice(0));
}
