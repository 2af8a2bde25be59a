// attack: eval and Function by name, indirectly and as globals
// expect: value "contained"
// bound: deadline - 500 ms
const names = ['eval', 'Function', 'WebAssembly', 'SharedArrayBuffer', 'require', 'process', 'Buffer', 'fetch', 'Deno', 'Bun', 'window', 'self', 'global', 'importScripts', 'Worker', 'ShadowRealm', 'XMLHttpRequest', 'read', 'print', 'quit', 'd8', 'gc'];
const found = names.filter((n) => n in globalThis || typeof globalThis[n] !== 'undefined');
return found.length === 0 ? 'contained' : found;
