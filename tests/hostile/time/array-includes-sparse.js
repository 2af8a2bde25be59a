// attack: a search over four billion holes
// expect: value false | timeout
// bound: deadline + 500 ms
const a = [];
a.length = 2 ** 32 - 1;
return a.includes(1);
