// attack: a string literal of three megabytes
// expect: value 3000000
// bound: deadline + 500 ms
return "/*repeat 3000000 "x"*/".length;
