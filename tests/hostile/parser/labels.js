// attack: 200,000 labels, all different by accident of none
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 200000 "a:"*/;
