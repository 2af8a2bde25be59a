// attack: TypeScript: 240,000 bytes of the smallest statements
// expect: value 1
// bound: deadline + 500 ms
let x: number = 1;
/*repeat 60000 "x=1;"*/return x;
