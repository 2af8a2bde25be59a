// attack: a class that extends a class that extends a class
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 60000 "class A extends "*/Object/*repeat 60000 "{}"*/
