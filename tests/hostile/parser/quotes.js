// attack: a million quotes of three kinds
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 333333 "'`\""*/
