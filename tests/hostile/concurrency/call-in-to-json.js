// attack: a call for each toJSON of the result
// expect: tool_call_limit | value any
// bound: deadline + 500 ms
return Array.from({ length: 1000 }, () => ({ toJSON() { tools.read_file({ path: 'a.txt' }).catch(() => {}); return 1; } }));
