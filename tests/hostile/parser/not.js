// attack: a megabyte of !
// expect: syntax_error | exception
// bound: deadline + 500 ms
return /*repeat 1000000 "!"*/0;
