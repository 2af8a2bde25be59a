// attack: 200,000 conditionals in a row
// expect: value 2 | syntax_error | exception | memory_limit
// bound: deadline + 500 ms
return /*repeat 200000 "0?1:"*/2;
