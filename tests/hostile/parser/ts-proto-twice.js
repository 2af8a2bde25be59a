// attack: TypeScript: __proto__ 40,000 times in one object
// expect: syntax_error
// bound: deadline - 500 ms
const o: any = { /*repeat 40000 "__proto__: 1, "*/};
return 1;
