// attack: an array literal 500,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 500000 "["*//*repeat 500000 "]"*/;
