// attack: async recursion with a call at each level
// expect: exception | tool_call_limit
// bound: deadline + 500 ms
// calls: 50
const f = async (n) => { await tools.read_file({ path: 'a.txt' }); return f(n + 1); };
return await f(0);
