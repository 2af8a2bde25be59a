// attack: the statics of Object are the script's own
// expect: value {"c":"hello\n"}
// bound: deadline - 500 ms
for (const k of Object.getOwnPropertyNames(Object)) { try { Object[k] = () => { throw new Error('forged'); }; } catch { /* fixed */ } }
const r = await tools.read_file({ path: 'a.txt' });
return { c: r.content, f() {} };
