// attack: TypeScript: object types nested 150,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
let a: /*repeat 150000 "{a:"*/1/*repeat 150000 "}"*/;
return 1;
