// attack: a hundred thousand statements that end without a semicolon
// expect: syntax_error | exception | memory_limit | value null | timeout
// bound: deadline + 500 ms
/*repeat 100000 "a\n++\nb\n"*/
