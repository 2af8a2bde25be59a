// attack: a SharedArrayBuffer out of Atomics or typed arrays
// expect: value "contained"
// bound: deadline - 500 ms
const got = [];
try { got.push(new (new Int32Array(new ArrayBuffer(4)).buffer.constructor)(8) instanceof ArrayBuffer ? 0 : 1); } catch { /* contained */ }
for (const o of [Atomics, ArrayBuffer, Int32Array.__proto__]) for (const k of Reflect.ownKeys(o)) if (/shared/i.test(String(k))) got.push(k);
return got.filter(Boolean).length === 0 ? 'contained' : got;
