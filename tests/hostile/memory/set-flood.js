// attack: a Set of strings
// expect: memory_limit | exception
// bound: deadline + 500 ms
const m = new Set();
for (let i = 0; ; i++) m.add('entry ' + i);
