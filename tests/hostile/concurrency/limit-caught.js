// attack: the call above the limit may be caught once
// expect: value 1
// bound: deadline + 500 ms
// calls: 50
let refused = 0;
for (let i = 0; i < 51; i++) await tools.read_file({ path: 'a.txt' }).catch((e) => { refused += e.kind === 'tool_call_limit'; });
return refused;
