// attack: marks that turn the text around, and odd spaces
// expect: syntax_error
// bound: deadline + 500 ms
return /*repeat 1 "\u202e\ufeff\u00a0\u2028"*/ 5;
