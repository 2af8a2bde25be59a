// attack: ten thousand calls whose failures are all swallowed
// expect: tool_call_limit
// bound: deadline + 500 ms
// calls: 50
const r = await Promise.allSettled(Array.from({ length: 10000 }, () => tools.read_file({ path: 'a.txt' })));
return r.length;
