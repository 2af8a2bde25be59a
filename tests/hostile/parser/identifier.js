// attack: an identifier of two million letters
// expect: value 5
// bound: deadline + 500 ms
const /*repeat 2000000 "a"*/ = 5;
return 5;
