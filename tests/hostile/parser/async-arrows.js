// attack: async arrows nested 100,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 100000 "async a=>"*/1;
