// attack: a million quotes of three kinds
// expect: syntax_error | exception | memory_limit
// bound: deadline + 500 ms
/*repeat 333333 "'`\""*/
