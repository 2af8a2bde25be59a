// attack: blocks that change their type, their data and their keys while they are read
// expect: value 1 | exception
// bound: deadline - 500 ms
let n = 0;
const b = { get type() { return n++ ? 'tool_use' : 'text'; }, text: 'x', toJSON() { return { type: 'text', text: 5, isError: true }; } };
try { emit(b); } catch { /* refused */ }
try { emit({ type: 'image', data: '!!!', mimeType: 'text/html' }); } catch { /* refused */ }
try { emit({ type: 'resource_link', uri: 'file:///etc/passwd', name: 'x' }); } catch { /* refused */ }
return 1;
