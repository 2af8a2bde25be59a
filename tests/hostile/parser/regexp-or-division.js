// attack: slashes that may be divisions or regular expressions
// expect: syntax_error | value any | exception | timeout | memory_limit
// bound: deadline + 500 ms
let a = 1, g = 1;
/*repeat 100000 "a/g/a;{}/g/.b;"*/
return a
