// attack: an array beyond the fast element limit, filled
// expect: memory_limit | exception | timeout
// bound: deadline + 500 ms
return new Array(2 ** 32 - 1).fill(0).length;
