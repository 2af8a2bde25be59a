// attack: a resizable ArrayBuffer reserves 4 GB and grows page by page
// expect: memory_limit | exception
// bound: deadline + 500 ms
const buffer = new ArrayBuffer(1, { maxByteLength: 2 ** 32 - 1 });
for (let size = 1 << 20; size < 2 ** 32; size += 1 << 20) {
  buffer.resize(size);
  new Uint8Array(buffer).fill(7, size - (1 << 20));
}
return buffer.byteLength;
