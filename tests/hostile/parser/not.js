// attack: a megabyte of !
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 1000000 "!"*/0;
