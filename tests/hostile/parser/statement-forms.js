// attack: a hundred thousand statements that end without a semicolon
// expect: exception
// bound: deadline + 500 ms
/*repeat 100000 "a\n++\nb\n"*/
