// attack: matchAll that keeps each match with its groups
// expect: memory_limit | exception
// bound: deadline + 500 ms
const text = 'ab'.repeat(1e6);
return [...text.matchAll(/(?<x>a)(?<y>b)/g)].length;
