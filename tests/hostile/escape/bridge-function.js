// attack: the bridge function, looked for in everything that can be reached
// expect: value "contained"
// bound: deadline + 500 ms
const seen = new Set();
const found = [];
const walk = (v) => {
  if ((typeof v !== 'object' && typeof v !== 'function') || v === null || seen.has(v) || seen.size > 20000) return;
  seen.add(v);
  if (typeof v === 'function') {
    try { if (v.name === 'host' || v('kind', 'workspace') === 'namespace') found.push(v.name || 'anonymous'); } catch { /* not it */ }
  }
  let keys = [];
  try { keys = Reflect.ownKeys(v); } catch { return; }
  for (const k of keys) {
    const d = Reflect.getOwnPropertyDescriptor(v, k);
    if (d) { walk(d.value); walk(d.get); walk(d.set); }
  }
  try { walk(Object.getPrototypeOf(v)); } catch { /* none */ }
};
for (const v of [tools, cc, mcg, ToolError, console]) walk(v);
return found.length === 0 ? 'contained' : found;
