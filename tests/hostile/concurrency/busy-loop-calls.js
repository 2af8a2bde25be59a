// attack: calls in a busy loop, never awaited
// expect: tool_call_limit
// bound: deadline + 500 ms
// calls: 50
for (;;) tools.read_file({ path: 'a.txt' }).catch(() => {});
