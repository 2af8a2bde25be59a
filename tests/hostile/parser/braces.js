// attack: a megabyte of open braces
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 1000000 "{"*/
