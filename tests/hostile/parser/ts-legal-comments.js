// attack: TypeScript: 100,000 legal comments, which are all kept apart
// expect: syntax_error
// bound: deadline - 500 ms
let a: any = 0;
/*repeat 100000 "/*! x */ "*/return 1;
