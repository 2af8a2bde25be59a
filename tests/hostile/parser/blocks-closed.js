// attack: blocks 500,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 500000 "{"*//*repeat 500000 "}"*/
