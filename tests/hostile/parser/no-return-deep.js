// attack: an expression as the whole script, 300,000 brackets deep
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 300000 "["*//*repeat 300000 "]"*/
