// attack: a number of three million digits
// expect: value null
// bound: deadline + 500 ms
return 1/*repeat 3000000 "0"*/;
