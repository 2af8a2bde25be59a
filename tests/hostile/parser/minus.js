// attack: a megabyte of - -
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 500000 "- "*/1;
