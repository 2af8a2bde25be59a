// attack: a chain of 200,000 members
// expect: value "object" | syntax_error | exception
// bound: deadline + 500 ms
const a = {}; a.a = a;
return typeof a/*repeat 200000 ".a"*/;
