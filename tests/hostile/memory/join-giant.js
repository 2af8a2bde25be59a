// attack: join of a sparse array of 1e9 holes
// expect: exception | memory_limit
// bound: deadline + 500 ms
return new Array(1e9).join('ab').length;
