// attack: a regular expression of 400,000 groups
// expect: syntax_error
// bound: deadline + 500 ms
return /x/*repeat 400000 "(a"*//*repeat 400000 ")"*//.test("a");
