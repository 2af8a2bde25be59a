// attack: TypeScript: generics nested 200,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
let a: /*repeat 200000 "A<"*/B/*repeat 200000 ">"*/ = 1;
return 1;
