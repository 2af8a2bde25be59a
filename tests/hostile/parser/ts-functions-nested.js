// attack: TypeScript: functions 700 deep, below the bound: the time grows with the cube of the depth
// expect: syntax_error
// bound: deadline - 500 ms
let a: any = 0;
/*repeat 700 "function f() {"*//*repeat 700 "}"*/
