// attack: TypeScript: 60,000 declarations of one name: esbuild says each time where the first one is
// expect: syntax_error
// bound: deadline - 500 ms
let x: number = 1; /*repeat 60000 "const a = 1; "*/return x;
