// attack: each answer makes two more calls
// expect: tool_call_limit | exception
// bound: deadline + 500 ms
const f = () => tools.read_file({ path: 'a.txt' }).then(() => Promise.all([f(), f()]));
await f();
