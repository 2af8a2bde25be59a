// attack: a tool whose name is a megabyte long
// expect: value [true,true,true,true]
// bound: deadline + 500 ms
const n = 'n'.repeat(1e6);
const out = [];
for (const f of [() => tools[n]({}), () => tools.workspace[n]({}), () => cc.callTool(n, {}), () => tools.a[n][n]({})]) { try { await f(); out.push('ran'); } catch (e) { out.push(e.message.length < 5000); } }
return out;
