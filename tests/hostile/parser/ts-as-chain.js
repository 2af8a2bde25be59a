// attack: TypeScript: 100,000 casts in a row
// expect: syntax_error
// bound: deadline + 500 ms
return 1/*repeat 100000 " as any"*/;
