// attack: spread in spread, 200,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 200000 "[..."*/[]/*repeat 200000 "]"*/;
