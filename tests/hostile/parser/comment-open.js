// attack: three megabytes of a comment that never ends
// expect: syntax_error
// bound: deadline + 500 ms
/* /*repeat 3000000 "*"*/
