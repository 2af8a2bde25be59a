// attack: a chain of 200,000 members
// expect: syntax_error
// bound: deadline + 500 ms
const a = {}; a.a = a;
return typeof a/*repeat 200000 ".a"*/;
