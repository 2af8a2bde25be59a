// attack: 300,000 assignments in one expression
// expect: syntax_error
// bound: deadline + 500 ms
let a;
return /*repeat 300000 "a="*/5;
