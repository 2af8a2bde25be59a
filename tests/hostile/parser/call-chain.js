// attack: a chain of 200,000 calls
// expect: syntax_error
// bound: deadline + 500 ms
const f = () => f;
return typeof f/*repeat 200000 "()"*/;
