// attack: TypeScript: half a million non-null marks
// expect: syntax_error
// bound: deadline + 500 ms
const a: any = 1;
return a/*repeat 500000 "!"*/;
