// attack: Array.from with a mapped length of 2**31
// expect: memory_limit | exception
// bound: deadline + 500 ms
return Array.from({ length: 2 ** 31 }, (_, i) => i).length;
