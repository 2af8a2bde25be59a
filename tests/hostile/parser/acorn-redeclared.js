// attack: a module with 50,000 declarations of one name
// expect: syntax_error
// bound: deadline - 500 ms
export default 1;
/*repeat 50000 "let a; "*/
