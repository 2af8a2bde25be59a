// attack: suspended async functions by the million
// expect: memory_limit | exception
// bound: deadline + 500 ms
const wait = async (n) => { await new Promise(() => {}); return n; };
const keep = [];
for (let i = 0; ; i++) keep.push(wait(i));
