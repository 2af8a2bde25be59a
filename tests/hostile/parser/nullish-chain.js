// attack: a chain of 300,000 optional members
// expect: syntax_error
// bound: deadline + 500 ms
const a = {};
return String(a/*repeat 300000 "?.b"*/);
