// attack: 50,000 default exports
// expect: syntax_error
// bound: deadline - 500 ms
/*repeat 50000 "export default 1; "*/
