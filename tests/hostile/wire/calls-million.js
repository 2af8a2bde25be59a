// attack: a million calls that nobody awaits
// expect: tool_call_limit
// bound: deadline + 500 ms
// calls: 50
for (let i = 0; i < 1e6; i++) tools.read_file({ path: 'a.txt' }).catch(() => {});
return 1;
