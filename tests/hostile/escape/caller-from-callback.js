// attack: the prelude as the caller of a getter
// expect: value "contained"
// bound: deadline - 500 ms
let seen = null;
function spy() { seen = spy.caller; return 'x'; }
const o = {};
Object.defineProperty(o, 'path', { get: spy, enumerable: true });
await tools.read_file(o).catch(() => {});
console.log({ get toString() { spy(); return () => ''; } });
return seen === null ? 'contained' : String(seen);
