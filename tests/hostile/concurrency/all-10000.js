// attack: Promise.all over ten thousand calls
// expect: tool_call_limit | exception
// bound: deadline + 500 ms
// calls: 50
await Promise.all(Array.from({ length: 10000 }, () => tools.read_file({ path: 'a.txt' })));
