// attack: eval looked for on every prototype of every global
// expect: value "contained"
// bound: deadline - 500 ms
const found = [];
for (const k of Reflect.ownKeys(globalThis)) {
  let v;
  try { v = globalThis[k]; } catch { continue; }
  if (typeof v === 'function' && /^function (eval|Function|SharedArrayBuffer)\(/.test(Function_toString(v))) found.push(String(k));
}
function Function_toString(f) { return Object.getPrototypeOf(f) && (() => {}).toString.call(f); }
return found.length === 0 ? 'contained' : found;
