// attack: a loop of failing calls that are all caught
// expect: tool_call_limit
// bound: deadline - 500 ms
// calls: 50
for (;;) await tools.nothing({}).catch(() => 0);
