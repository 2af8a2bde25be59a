// attack: another realm through an error, a promise or a tool result
// expect: value "contained"
// bound: deadline - 500 ms
const got = [];
try { await tools.nothing({}); } catch (e) {
  for (let o = e; o; o = Object.getPrototypeOf(o)) {
    const c = o.constructor;
    if (c && c !== ToolError && c !== Error && c !== Object) got.push(String(c));
  }
}
const r = await tools.read_file({ path: 'a.txt' });
if (!(r instanceof Object) || Object.getPrototypeOf(r) !== Object.prototype) got.push('result');
if (!(tools.read_file({ path: 'a.txt' }) instanceof Promise)) got.push('promise');
return got.length === 0 ? 'contained' : got;
