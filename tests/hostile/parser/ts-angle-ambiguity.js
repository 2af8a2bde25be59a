// attack: TypeScript: less-than signs that may be type arguments, so that a parser tries both ways
// expect: syntax_error
// bound: deadline + 500 ms
const f: any = 1;
return /*repeat 4000 "f<f("*/1
