// attack: a dictionary-mode array with far-apart indexes
// expect: memory_limit | exception
// bound: deadline + 500 ms
const a = [];
for (let i = 0; ; i++) a[(i * 1000003) % 4294967294] = i;
