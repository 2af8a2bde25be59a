// attack: a decimal text of ten million digits
// expect: timeout | memory_limit | exception
// bound: deadline + 500 ms
return ((1n << 100000000n) - 1n).toString().length;
