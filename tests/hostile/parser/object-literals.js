// attack: object literals 200,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 200000 "{a:"*/1/*repeat 200000 "}"*/;
