// attack: TypeScript: an array type of 300,000 dimensions
// expect: syntax_error
// bound: deadline + 500 ms
let a: any/*repeat 300000 "[]"*/ = 1 as any;
return 1;
