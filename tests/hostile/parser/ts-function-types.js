// attack: TypeScript: function types nested 100,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
let a: /*repeat 100000 "(a: "*/any/*repeat 100000 ") => any"*/;
return 1;
