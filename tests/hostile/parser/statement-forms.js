// attack: forty thousand statements that end without a semicolon
// expect: exception
// bound: deadline + 500 ms
/*repeat 40000 "a\n++\nb\n"*/
