// attack: an indent on each of a million lines
// expect: memory_limit | exception
// bound: deadline + 500 ms
const rows = new Array(3e6).fill(1);
let deep = rows;
for (let i = 0; i < 60; i++) deep = [deep];
return JSON.stringify(deep, null, '          ').length;
