// attack: one array that grows for ever
// expect: memory_limit | exception
// bound: deadline + 500 ms
const a = [];
for (let i = 0; ; i++) a.push(i + 0.5);
