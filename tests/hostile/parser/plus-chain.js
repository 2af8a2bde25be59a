// attack: a sum of 500,000 terms
// expect: value 500000
// bound: deadline + 500 ms
return 0/*repeat 500000 "+1"*/;
