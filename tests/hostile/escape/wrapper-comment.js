// attack: it comments out the end of the wrapper
// expect: syntax_error
// bound: deadline - 500 ms
return 1; /*
