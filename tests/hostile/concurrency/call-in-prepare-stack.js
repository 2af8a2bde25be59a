// attack: a call for each stack that is made
// expect: value 1 | tool_call_limit | exception
// bound: deadline + 500 ms
Error.prepareStackTrace = () => { tools.read_file({ path: 'a.txt' }).catch(() => {}); return ''; };
try { await tools.nothing({}); } catch (e) { String(e.stack); }
return 1;
