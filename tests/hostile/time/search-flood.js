// attack: searches for tools with giant queries, which count as no call
// expect: value any | timeout | exception
// bound: deadline + 500 ms
for (let i = 0; i < 1000; i++) await searchTools('read file '.repeat(1e4) + i, 1e9);
return 1;
