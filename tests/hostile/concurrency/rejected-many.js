// attack: fifty failures at once, none handled
// expect: value 1 | tool_call_limit
// bound: deadline + 500 ms
for (let i = 0; i < 50; i++) tools.nothing({});
await tools.nothing({}).catch(() => 0);
return 1;
