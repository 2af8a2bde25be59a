// attack: arrows in the defaults of arrows
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 100000 "(a="*/1/*repeat 100000 ")=>1"*/;
