// attack: 500,000 commas
// expect: value 1
// bound: deadline + 500 ms
return (0/*repeat 500000 ",1"*/);
