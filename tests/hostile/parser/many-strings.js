// attack: an array literal of 300,000 elements
// expect: value 300000
// bound: deadline + 500 ms
return [/*repeat 300000 "1.5,"*/].length;
