// attack: new, 250,000 times
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 250000 "new "*/Object;
