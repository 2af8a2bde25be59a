// attack: TypeScript: types in 200,000 parentheses
// expect: syntax_error
// bound: deadline + 500 ms
let a: /*repeat 200000 "("*/any/*repeat 200000 ")"*/ = 1;
return 1;
