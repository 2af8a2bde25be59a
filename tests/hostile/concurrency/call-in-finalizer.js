// attack: calls from finalizers, which may run at any time
// expect: value 1 | tool_call_limit
// bound: deadline + 500 ms
const registry = new FinalizationRegistry(() => tools.read_file({ path: 'a.txt' }));
for (let i = 0; i < 2e5; i++) registry.register({}, i);
await tools.read_file({ path: 'a.txt' });
return 1;
