// attack: TypeScript: conditional types nested 50,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
type A = /*repeat 50000 "1 extends 2 ? 3 : "*/4;
return 1;
