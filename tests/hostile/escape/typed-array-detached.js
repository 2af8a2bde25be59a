// attack: views of a buffer that is transferred while it is written
// expect: value "contained"
// bound: deadline - 500 ms
const b = new ArrayBuffer(1 << 16);
const v = new Uint8Array(b);
try { v.set({ length: 10, get 0() { b.transfer(0); return 1; }, 5: 7 }); v.fill(1); v.sort(); v[100] = 5; } catch { /* fine */ }
return v.length === 0 && v[100] === undefined ? 'contained' : v.length;
