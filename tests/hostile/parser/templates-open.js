// attack: template literals that never end
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 300000 "`${"*/
