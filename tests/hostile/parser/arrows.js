// attack: a megabyte of a=>
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 333333 "a=>"*/1;
