// attack: the web's names made after every primitive was replaced
// expect: value "contained" | exception
// bound: deadline - 500 ms
const got = [];
const spy = (f) => function (...a) { for (const v of [this, ...a]) if (typeof v === 'function' && v.name === 'host') got.push(String(v)); return Reflect.apply(f, this, a); };
for (const p of [Array.prototype, String.prototype, Function.prototype, Object, Reflect, Map.prototype]) for (const k of Object.getOwnPropertyNames(p)) { const v = p[k]; if (typeof v === 'function' && k !== 'constructor' && p !== Reflect) { try { p[k] = spy(v); } catch { /* fixed */ } } }
for (const n of ['URL', 'structuredClone', 'TextEncoder', 'crypto', 'searchTools']) { try { globalThis[n]; new globalThis[n]('http://a/b'); } catch { /* its own loss */ } }
return got.length === 0 ? 'contained' : got;
