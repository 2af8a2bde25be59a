// attack: TypeScript: a constant assigned 60,000 times
// expect: syntax_error
// bound: deadline - 500 ms
const c: number = 1; /*repeat 60000 "c = 1; "*/return c;
