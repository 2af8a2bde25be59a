// attack: a resizable buffer that shrinks in the middle of a builtin
// expect: value "contained"
// bound: deadline - 500 ms
const b = new ArrayBuffer(1 << 20, { maxByteLength: 1 << 20 });
const v = new Float64Array(b);
try { v.sort((x, y) => { b.resize(8); return x - y; }); } catch { /* fine */ }
try { v.copyWithin({ valueOf() { b.resize(0); return 0; } }, 1, 100); } catch { /* fine */ }
try { Array.prototype.concat.call(v, v); v.toLocaleString(); v.with(0, { valueOf() { b.resize(64); return 1; } }); } catch { /* fine */ }
return b.byteLength <= 64 ? 'contained' : b.byteLength;
