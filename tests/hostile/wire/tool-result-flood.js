// attack: fifty large results at once
// expect: value 50 | memory_limit | exception
// bound: deadline + 500 ms
const r = await Promise.all(Array.from({ length: 50 }, () => tools.read_file({ path: 'big.txt' })));
return r.length;
