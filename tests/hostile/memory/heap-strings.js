// attack: small strings without end, as rows of a table
// expect: memory_limit | exception
// bound: deadline + 500 ms
const a = [];
for (let i = 0; ; i++) a.push('some string number ' + i);
