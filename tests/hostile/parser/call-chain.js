// attack: a chain of 200,000 calls
// expect: value "function" | syntax_error | exception | memory_limit
// bound: deadline + 500 ms
const f = () => f;
return typeof f/*repeat 200000 "()"*/;
