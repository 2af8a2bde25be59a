// attack: JSON.rawJSON writes numbers that no double holds
// expect: value "ToolError" | value "TypeError"
// bound: deadline + 500 ms
try { await tools.read_file({ path: 'a.txt', limit: JSON.rawJSON('1e400') }); return 'ran'; } catch (e) { return e.name; }
