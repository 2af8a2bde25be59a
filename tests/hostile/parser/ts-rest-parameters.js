// attack: TypeScript: 70,000 rest parameters on one line: an error for each, each with the line
// expect: syntax_error
// bound: deadline - 500 ms
let x: number = 1;
const f = (/*repeat 70000 "...a,"*/) => 1;
return f();
