// attack: 60,000 breaks to a label that is not there
// expect: syntax_error
// bound: deadline - 500 ms
let x: number = 1;
/*repeat 60000 "for (;;) break b; "*/return x;
