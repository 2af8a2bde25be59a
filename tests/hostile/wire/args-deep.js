// attack: arguments 5,000 levels deep
// expect: value true
// bound: deadline + 500 ms
let o = {};
for (let i = 0; i < 5000; i++) o = { o };
try { await tools.read_file({ path: 'a.txt', o }); } catch (e) { return /Error$/.test(e.name); }
