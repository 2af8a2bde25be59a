// attack: TypeScript: parentheses that may begin an arrow, nested, so that a parser tries both ways
// expect: syntax_error
// bound: deadline + 500 ms
let a: any = /*repeat 3000 "(x?:any="*/1/*repeat 3000 ")=>1"*/;
return 1;
