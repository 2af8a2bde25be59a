// attack: patterns nested 150,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
const /*repeat 150000 "["*/a/*repeat 150000 "]"*/ = [];
