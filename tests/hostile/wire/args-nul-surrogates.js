// attack: NUL, halves of pairs and control characters in arguments
// expect: value true
// bound: deadline + 500 ms
const out = [];
for (const path of ['a.txt\0', '\ud800', 'a\u0001b', '\udfff\ud800', '\u202e', '']) { try { await tools.read_file({ path }); out.push('ran'); } catch (e) { out.push(e.name); } }
return out.every((x) => x === 'ToolError');
