// attack: a Map that grows until its table can't be doubled
// expect: memory_limit | exception
// bound: deadline + 500 ms
const m = new Map();
for (let i = 0; ; i++) m.set(i, { i });
