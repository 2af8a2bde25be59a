// attack: arguments of 100 MB
// expect: value ["RangeError",true] | memory_limit
// bound: deadline + 500 ms
try { await tools.write_file({ path: 'x', content: 'x'.repeat(1e8) }); } catch (e) { return [e.name, /at most/.test(e.message)]; }
