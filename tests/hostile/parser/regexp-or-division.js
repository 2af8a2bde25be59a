// attack: slashes that may be divisions or regular expressions
// expect: value 1
// bound: deadline + 500 ms
let a = 1, g = 1;
/*repeat 20000 "a/g/a;{}/g/.b;"*/
return a
