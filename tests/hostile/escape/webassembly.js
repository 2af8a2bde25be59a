// attack: WebAssembly by every road that leads to it
// expect: value "contained"
// bound: deadline - 500 ms
const roads = [() => WebAssembly, () => globalThis.WebAssembly, () => Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly').value];
const got = roads.filter((r) => { try { return r() !== undefined; } catch { return false; } });
return got.length === 0 ? 'contained' : got.length;
