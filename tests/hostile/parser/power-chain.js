// attack: a right-associative chain of 300,000 powers
// expect: syntax_error
// bound: deadline + 500 ms
return 1/*repeat 300000 "**1"*/;
