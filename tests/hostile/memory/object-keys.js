// attack: one object with endless new keys
// expect: memory_limit | exception
// bound: deadline + 500 ms
const o = {};
for (let i = 0; ; i++) o['k' + i] = 'v'.repeat(60);
