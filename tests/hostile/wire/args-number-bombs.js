// attack: numbers with huge exponents, which exact arithmetic would write out
// expect: value 3
// bound: deadline + 500 ms
const kinds = [];
for (const n of ['1e1000000000', '1e-1000000000', '9'.repeat(100000)]) { try { await tools.read_file({ path: 'a.txt', limit: JSON.rawJSON(n), offset: JSON.rawJSON(n) }); kinds.push('ran'); } catch (e) { kinds.push(e.name); } }
return kinds.length;
