// attack: console methods with a foreign receiver and as constructors
// expect: value "contained"
// bound: deadline - 500 ms
const got = [];
for (const k of ['log', 'info', 'warn', 'error', 'debug']) {
  try { console[k].call({ host: (...a) => got.push(a) }, 'x'); } catch { /* fine */ }
  try { new console[k]('x'); } catch { /* fine */ }
  try { Reflect.construct(Object, [], console[k]); } catch { /* fine */ }
}
return got.length === 0 ? 'contained' : got;
