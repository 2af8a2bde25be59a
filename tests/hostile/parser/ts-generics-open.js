// attack: TypeScript: generics that never close
// expect: syntax_error
// bound: deadline + 500 ms
let a: /*repeat 500000 "A<"*/
