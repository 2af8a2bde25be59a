// attack: dynamic import of files, schemes and data
// expect: value "contained"
// bound: deadline - 500 ms
const got = [];
for (const what of ['fs', 'node:fs', 'file:///etc/passwd', '/etc/passwd', './a.js', 'data:text/javascript,export default 1', 'https://example.com/x.js', '', 'codemode:prelude', 'script.js']) {
  try { got.push(await import(what)); } catch { /* contained */ }
}
return got.length === 0 ? 'contained' : got.length;
