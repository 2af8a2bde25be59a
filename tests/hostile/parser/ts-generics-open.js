// attack: TypeScript: generics that never close
// expect: syntax_error | exception | memory_limit
// bound: deadline + 500 ms
let a: /*repeat 500000 "A<"*/
