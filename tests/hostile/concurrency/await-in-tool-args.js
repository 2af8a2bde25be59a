// attack: promises as arguments: they are not awaited
// expect: value "TypeError"
// bound: deadline + 500 ms
try { await tools.read_file({ path: Promise.resolve('a.txt') }); return 'ran'; } catch (e) { return e.name; }
