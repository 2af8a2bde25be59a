// attack: 100,000 else-ifs
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 100000 "if(0);else "*/return 7;
