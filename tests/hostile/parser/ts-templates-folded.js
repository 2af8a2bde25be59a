// attack: TypeScript: 4,000 templates that are folded into one: memory grows with the square
// expect: syntax_error
// bound: deadline - 500 ms
const a: any = `x${"y"}`/*repeat 1990 "+`x${'y'}`"*/;
return 1;
