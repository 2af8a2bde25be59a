// attack: async functions that call themselves without an end
// expect: timeout | memory_limit | exception
// bound: deadline + 500 ms
const f = async (n) => { await null; return (await f(n + 1)) + 1; };
return await f(0);
