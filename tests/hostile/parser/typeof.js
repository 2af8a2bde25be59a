// attack: typeof, 150,000 times
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 150000 "typeof "*/1;
