// attack: an identifier written in escapes
// expect: value 5
// bound: deadline + 500 ms
const /*repeat 100000 "\\u0061"*/ = 5;
return 5;
