// attack: the registry of Symbol.for is never collected
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keep = [];
for (let i = 0; ; i++) keep.push(Symbol.for('symbol number ' + i));
