// attack: half a megabyte of parentheses, closed again
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 500000 "("*/1/*repeat 500000 ")"*/;
