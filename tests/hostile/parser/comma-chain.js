// attack: 500,000 commas
// expect: value 1 | syntax_error | exception
// bound: deadline + 500 ms
return (0/*repeat 500000 ",1"*/);
