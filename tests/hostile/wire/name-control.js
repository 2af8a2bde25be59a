// attack: names with NUL, newlines, dots and halves of pairs
// expect: value []
// bound: deadline + 500 ms
const out = [];
for (const n of ['a\0b', '\n', '.', '..', '...', '\ud800', 'workspace.', '.read_file', 'workspace..read_file', 'workspace.read_file\0', '__', 'mcp__', '%s', ' ']) { try { await cc.callTool(n, {}); out.push(n); } catch (e) { /* refused */ } }
return out;
