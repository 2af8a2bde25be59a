// attack: 200,000 conditionals in a row
// expect: value 2
// bound: deadline + 500 ms
return /*repeat 200000 "0?1:"*/2;
