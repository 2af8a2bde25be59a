// attack: TypeScript: a union of 300,000 members
// expect: syntax_error
// bound: deadline + 500 ms
let a: 1/*repeat 300000 "|1"*/ = 1;
return a;
