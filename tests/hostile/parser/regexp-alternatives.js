// attack: a regular expression of 500,000 alternatives
// expect: memory_limit
// bound: deadline + 500 ms
return /x/*repeat 500000 "|a"*//.test("b");
