// attack: a function of 70,000 parameters
// expect: syntax_error
// bound: deadline + 500 ms
const f = (/*repeat 70000 "...a,"*/) => 1;
return f();
