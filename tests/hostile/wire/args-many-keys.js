// attack: arguments of a million keys
// expect: value true | memory_limit | timeout
// bound: deadline + 500 ms
const o = {};
for (let i = 0; i < 5e5; i++) o['key' + i] = i;
try { await tools.read_file(o); } catch (e) { return e.message.length < 1e5; }
